"""Compiled programs called from JAX, with devices as ranks.

usage: compiled.py FOLDER_OF_LAYERS CONFIGS CALLS
"""

import pathlib
import resource
import sys

sys.path.insert(0, sys.argv[1])

import layers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

import moe_mlir
from moe_mlir import handlers

config = pathlib.Path(sys.argv[2]) / "mixtral-8x7b.json"
calls = int(sys.argv[3])


def shard(body, mesh, in_specs, out_specs):
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=in_specs,
                                 out_specs=out_specs, check_vma=False))


# An MoE layer, compared with every token's experts on one device.
WIDTH, HIDDEN, EXPERTS = 16, 32, 8
layer = moe_mlir.import_config(
    config, ep=4, tp=2, micro_batch=1, seq_len=16, layers=1, hidden_size=WIDTH,
    expert_ffn_size=HIDDEN, dtype="f32", capacity_factor=8)
layer.compile("moe-compile{to=schedule platform=dgx-h100 strategy=o3 degree=2}")
compiled = moe_mlir.compiled_on_cpu(layer, axes=("ep", "tp"))
assert [a.shape for a in compiled.arguments][:2] == [(16, WIDTH), (WIDTH, 8)]
mesh = layers.make_mesh()
keys = jax.random.split(jax.random.key(3), 5)
tokens = jax.random.normal(keys[0], (4 * 16, WIDTH))
gate = jax.random.normal(keys[1], (WIDTH, EXPERTS))
up = [jax.random.normal(k, (EXPERTS, WIDTH, HIDDEN)) / 4 for k in keys[2:4]]
down = jax.random.normal(keys[4], (EXPERTS, HIDDEN, WIDTH)) / 4


@jax.jit
def reference(tokens):
    weight, expert = lax.top_k(jax.nn.softmax(tokens @ gate), 2)
    weight = weight / weight.sum(-1, keepdims=True)
    hidden = [jnp.einsum("tm,emh->teh", tokens, w) for w in up]
    made = jnp.einsum("teh,ehm->tem", jax.nn.silu(hidden[0]) * hidden[1], down)
    picked = jnp.take_along_axis(made, expert[:, :, None], 1)
    return tokens + jnp.einsum("tkm,tk->tm", picked, weight)


call = shard(compiled, mesh,
             (P("ep", None), P(), P("ep", None, "tp"), P("ep", None, "tp"),
              P("ep", "tp", None)), P("ep", None))
arguments = (tokens, gate, *up, down)
have = np.asarray(jax.block_until_ready(call(*arguments)))
np.testing.assert_allclose(have, np.asarray(reference(tokens)), rtol=1e-5,
                           atol=1e-5)
print("layer: as JAX's")

# The same bits many times, and no more memory than after the first calls.
def call_often(count):
    for _ in range(count):
        again = np.asarray(jax.block_until_ready(call(*arguments)))
        assert again.tobytes() == have.tobytes()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


before = call_often(min(calls, 100))
after = call_often(calls)
assert after - before < 20_000, (before, after)
print(f"calls: {calls} of the same bits")

# Together with XLA's own collectives, in a loop, and in two groups of ranks at
# once.
EXCHANGE = pathlib.Path(__file__).with_name("exchange.mlir").read_text()
exchange = moe_mlir.compiled_on_cpu(EXCHANGE)


def body(own, one):
    def step(_, x):
        x = own(x) + lax.psum(x, "tp")
        return one(x) * 0.5
    return lambda x: lax.fori_loop(0, 3, step, x)


theirs = lambda x: lax.all_to_all(x, "ep", 0, 0, tiled=True)
x = jax.random.normal(keys[0], (16, 12))
spec = P("ep", "tp")
want = shard(body(theirs, theirs), mesh, spec, spec)(x)
have = shard(body(exchange, theirs), mesh, spec, spec)(x)
assert (np.asarray(jax.block_until_ready(have)) == np.asarray(want)).all()
have = shard(body(theirs, exchange), mesh, spec, spec)(x)
assert (np.asarray(jax.block_until_ready(have)) == np.asarray(want)).all()
print("loop: as XLA's own")


# Equal calls without data dependences, and a function that XLA inlines five times.
def five(one):
    return lambda x: sum(one(jnp.sin(x + i)) * (i + 1) for i in range(5))


for one in exchange, jax.jit(lambda x: exchange(x)):
    want = shard(five(theirs), mesh, spec, spec)(x)
    run = shard(five(one), mesh, spec, spec)
    for _ in range(50):
        np.testing.assert_allclose(np.asarray(jax.block_until_ready(run(x))),
                                   np.asarray(want), rtol=1e-5, atol=1e-5)
print("five: as XLA's own")


# Arguments that do not fit are errors before anything runs.
def expect_error(what, function):
    try:
        jax.block_until_ready(function())
    except Exception as error:
        assert what in str(error), error
        return str(error)
    sys.exit(f"expected an error that says '{what}', got none")


expect_error("argument 0: expected float32[4, 6], got float32[4, 12]",
             lambda: shard(exchange, mesh, P("ep", None), P("ep", None))(x))
expect_error("expected to be in a jax.shard_map over the axes ep, found no ep",
             lambda: exchange(jnp.zeros((4, 6))))
expect_error("expected 4 devices along tp, got 2", lambda: shard(
    moe_mlir.compiled_on_cpu(EXCHANGE, axes=["tp"]), mesh, spec, spec)(x))
expect_error("moe-translate: error:",
             lambda: moe_mlir.compiled_on_cpu("moe.mesh @m axes [\"a\"] what"))
expect_error("expected a program with a mesh",
             lambda: moe_mlir.compiled_on_cpu("module {}"))

# A device that never arrives.
handlers.TIMEOUT_MS = 2000
late = shard(
    lambda x: lax.cond(lax.axis_index("ep") == 3, lambda x: x, exchange, x),
    mesh, spec, spec)
print("refused:", [line for line in expect_error(
    "moe_mlir: rank", lambda: late(x)).splitlines() if "moe_mlir:" in line][0])
