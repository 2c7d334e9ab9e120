"""moe_mlir.optimize on eight CPU devices of JAX.

usage: optimize.py FOLDER_OF_LAYERS FOLDER

Collectives are read in XLA's compiled code, because a previously compiled
program would make every comparison pass.
"""

import pathlib
import re
import stat
import sys
import warnings

sys.path.insert(0, sys.argv[1])

import layers

import jax
import jax.numpy as jnp
import numpy as np

import moe_mlir
from moe_mlir import order as order_of_tasks

folder = pathlib.Path(sys.argv[2])
warnings.simplefilter("error", category=UserWarning)
mesh = layers.make_mesh()
weights, tokens = layers.make_arguments(mesh)


def expect_same(want, have, exact=True):
    want, have = jax.block_until_ready((want, have))
    assert jax.tree.structure(want) == jax.tree.structure(have)
    for a, b in zip(jax.tree.leaves(want), jax.tree.leaves(have)):
        assert a.sharding.is_equivalent_to(b.sharding, a.ndim)
        a, b = np.asarray(a), np.asarray(b)
        if exact:
            assert a.tobytes() == b.tobytes()
        else:
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def collectives(call, *args):
    text = jax.jit(call).lower(*args).compile().as_text()
    return {kind: len(re.findall(rf" {kind}(?:-start)?\(", text))
            for kind in ("all-to-all", "all-gather")}


layer = layers.psum(mesh)
want = jax.jit(layer)(weights, tokens)

# A jitted function, called twice; one program per shape.
fast = moe_mlir.optimize(jax.jit(layer))
expect_same(want, fast(weights, tokens))
expect_same(want, fast(weights, tokens))
assert len(fast._calls) == 1
said = fast.explain(weights, tokens)
assert said.collectives_before["all_to_all"] == 2
assert said.collectives_after["all_gather"] == 2, said
assert "all_gather: 0 -> 2" in str(said)
assert "stablehlo.all_gather" in fast.stablehlo(weights, tokens)

# Communication that is left unchanged, here an all-reduce of booleans.
any_above = jax.shard_map(
    lambda rows: jax.lax.pmax(rows > 0, "ep"), mesh=mesh, check_vma=False,
    in_specs=jax.sharding.PartitionSpec("ep"),
    out_specs=jax.sharding.PartitionSpec())
left = moe_mlir.optimize(any_above).explain(tokens).remarks
assert any(remark.startswith("warning: 'stablehlo.all_reduce' is communication "
                             "that is not read: ") for remark in left), left
compiled = collectives(fast, weights, tokens)
assert compiled == {"all-to-all": 2, "all-gather": 2}, compiled
print("drops:", compiled)

# NumPy's arguments are on no devices, so the function's mesh determines them.
plain = jax.tree.map(np.asarray, (weights, tokens))
strict = moe_mlir.optimize(layer, strict=True)
expect_same(jax.jit(layer)(*plain), strict(*plain))
expect_same(want, strict(weights, tokens))


# A train step, as a decorator, with keyword arguments and donation.
@moe_mlir.optimize(pipeline="moe-decompose-all-to-all moe-pipeline=degree=2",
                   donate_argnums=(0,))
def step(weights, tokens, *, rate):
    def loss(weights):
        with moe_mlir.layer("L0"):
            return jnp.mean(layer(weights, tokens) ** 2)
    value, gradient = jax.value_and_grad(loss)(weights)
    return jax.tree.map(lambda w, g: w - rate * g, weights, gradient), value


assert step.__name__ == "step"
reference = jax.jit(step.__wrapped__)
expected = jax.block_until_ready(reference(weights, tokens, rate=0.5))
copies = jax.tree.map(jnp.copy, weights)
expect_same(expected, step(copies, tokens, rate=0.5), exact=False)
assert all(leaf.is_deleted() for leaf in jax.tree.leaves(copies))
assert 'moe_layer = "L0"' in step.stablehlo(weights, tokens, rate=0.5)
print("step:", step.explain(weights, tokens, rate=0.5).collectives_after)

# The order of a schedule in the program that XLA runs.
def final_order(f):
    text = jax.jit(f).lower(weights, tokens).compile().as_text()
    return [int(n) for n in re.findall(
        r' all-to-all\(.*moe_order="[0-9a-f]+\.(\d+)"', text)]


chunks = moe_mlir.optimize(
    layer, pipeline="moe-decompose-all-to-all moe-pipeline=degree=4 "
    "moe-schedule", strict=True)
expect_same(want, chunks(weights, tokens))
order = final_order(chunks)
assert len(order) == 8, order
if order_of_tasks.is_available():
    assert order == sorted(order), order
print("order:", order == sorted(order) or not order_of_tasks.is_available())
# Experts in chunks between their exchanges, which XLA would merge into one
# all-reduce.
experts = moe_mlir.optimize(
    layer, pipeline="moe-pipeline{degree=2 scope=layer} moe-schedule",
    strict=True)
expect_same(want, experts(weights, tokens))
text = jax.jit(experts).lower(weights, tokens).compile().as_text()
assert 'dot_general.2[1 of 2]' in text
if order_of_tasks.is_available():
    kinds = re.findall(r' (all-to-all|all-reduce)\(.*moe_order="\w+\.(\d)"', text)
    assert sorted(kinds, key=lambda kind: kind[1]) == kinds, kinds
    print("experts:", *(kind for kind, _ in kinds))
else:
    print("experts: in XLA's order")
text = """HloModule m

%body (a: f32[4]) -> f32[4] {
  %a = f32[4] parameter(0)
  %y = f32[4] all-to-all(%x), frontend_attributes={moe_order="ab.0"}
  %x = f32[4] all-to-all(%a), frontend_attributes={moe_order="ab.1"}
}
"""
try:
    order_of_tasks.order_text(text)
    sys.exit("expected a ValueError")
except ValueError as error:
    assert "would wait for itself" in str(error)

# Inside of another jit, and under grad.
expect_same(want * 2, jax.jit(lambda w, t: fast(w, t) * 2)(weights, tokens))
loss = lambda f: lambda w: jnp.mean(f(w, tokens) ** 2)
expect_same(jax.jit(jax.grad(loss(layer)))(weights),
            jax.jit(jax.grad(loss(fast)))(weights), exact=False)


# The result for each exchange, forward and backward, and the reason.
plan = chunks.plan(weights, tokens)
assert [one.number for one in plan.exchanges] == [0, 1]
for one in plan.exchanges:
    assert (one.kind, one.form, one.degree) == ("all_to_all", "o3", 4), one
    assert (one.dim, one.axes) == ([2], ["tp"]), one
    assert one.bytes_after * 2 == one.bytes_before == 2048, one
    assert any("sends each datum once" in why for why in one.why), one
    assert any("runs in chunks" in why for why in one.why), one
assert any("scheduled" in why for why in plan.why), plan.why
backward = step.plan(weights, tokens, rate=0.5)
assert len(backward.exchanges) == 3, backward
assert {one.layer for one in backward.exchanges} == {"L0"}, backward
assert all(one.why for one in backward.exchanges), backward
as_it_is = moe_mlir.optimize(layer, pipeline="").plan(weights, tokens)
assert {one.form for one in as_it_is.exchanges} == {"baseline"}, as_it_is
print("plan:", plan.exchanges[0])


# Broken tools: the function runs, and a warning gives the reason.
def write_tool(name, text):
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


folder.mkdir(parents=True, exist_ok=True)
tools = {
    write_tool("fails", "#!/bin/sh\necho 'x: error: it is late' >&2; exit 1\n"):
        "moe-opt: error: it is late",
    write_tool("nonsense", "#!/bin/sh\necho what\n"):
        "expected a program that JAX takes",
    write_tool("other", "#!/bin/sh\nsed 's/sharding = #sdy.sharding<@mesh, "
               r"\[{\"ep\"}, {}\]>/sharding = #sdy.sharding<@mesh, [{}, {}]>/'"
               "\n"): "expected @main to stay",
    str(folder / "none"): "moe-opt:",
}
for tool, what in tools.items():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        expect_same(want, moe_mlir.optimize(layer, tool=tool)(weights, tokens))
    texts = [str(w.message) for w in caught]
    assert any("runs as it was" in t and what in t for t in texts), texts
    try:
        moe_mlir.optimize(layer, tool=tool, strict=True)(weights, tokens)
        sys.exit("expected an error")
    except moe_mlir.Error as error:
        assert what in str(error), error
try:
    moe_mlir.optimize(layer, pipeline="no-such-pass").explain(weights, tokens)
    sys.exit("expected an error")
except moe_mlir.Error as error:
    print("refused:", str(error).splitlines()[0])

# The library and jaxlib in one process.
print("library:", str(moe_mlir.parse("module {}")).split()[0])
try:
    import flatbuffers
    moe_mlir.save(folder / "layer.bin", fast, weights, tokens)
    expect_same(want, moe_mlir.load(folder / "layer.bin")(weights, tokens))
    print("saved")
except ImportError:
    try:
        moe_mlir.save(folder / "layer.bin", fast, weights, tokens)
    except moe_mlir.Error as error:
        print("saved not:", error)
