"""moe_mlir.optimize on random shapes and layers, called in every way.

usage: random_layers.py FOLDER_OF_LAYERS FIRST COUNT

A layer is padded (psum or psum_scatter, checked or not), or an exchange in both
directions with ops in between, with random sizes and random passes. It is
called as it is, in a jit, by keyword, as a loss with its gradient inside, under
grad, with a donated argument, and through a broken tool.
"""

import collections
import sys
import warnings

sys.path.insert(0, sys.argv[1])

import layers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

import moe_mlir

warnings.simplefilter("error", category=UserWarning)
mesh = layers.make_mesh()
PIPELINES = ("moe-decompose-all-to-all", "moe-pipeline=degree=2",
             "moe-decompose-all-to-all moe-pipeline=degree=2",
             "moe-decompose-all-to-all moe-pipeline=degree=2 moe-schedule")
WAYS = ("call", "jit", "keyword", "step", "grad", "donate", "broken")


def expect_same(want, have):
    want, have = jax.block_until_ready((want, have))
    assert jax.tree.structure(want) == jax.tree.structure(have)
    for a, b in zip(jax.tree.leaves(want), jax.tree.leaves(have)):
        assert a.sharding.is_equivalent_to(b.sharding, a.ndim)
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-5,
                                   atol=2e-5)


def padded(rng):
    """A layer of layers.py, of other sizes."""
    layers.EXPERTS = layers.RANKS * int(rng.integers(1, 4))
    layers.CHOICES = int(rng.integers(1, 4))
    layers.TOKENS = int(rng.integers(1, 20))
    layers.SLOTS = int(rng.integers(1, 10))
    layers.WIDTH = 2 * int(rng.integers(1, 9))
    layers.HIDDEN = 2 * int(rng.integers(1, 9))
    make = (layers.psum, layers.scatter)[int(rng.integers(2))]
    return (make(mesh, check_vma=bool(rng.integers(2))),
            *layers.make_arguments(mesh))


def exchanged(rng):
    """Two exchanges with ops in between."""
    rows, columns = (int(n) for n in rng.integers(1, 9, 2))
    width, reduce = 2 * int(rng.integers(1, 9)), bool(rng.integers(2))
    middle = (jnp.tanh, jnp.square, lambda x: x * 3)[int(rng.integers(3))]

    def body(weights, x):
        local = 2 if reduce else 1
        x = x.reshape(4, rows, columns * width // 2 * local)
        x = lax.all_to_all(x * weights["scale"], "ep", 0, 0, tiled=True)
        x = middle(x)
        if reduce:
            x = lax.psum(x * (1 + lax.axis_index("tp")), "tp")
        x = lax.all_to_all(x * 2, "ep", 0, 0, tiled=True)
        return x.reshape(4 * rows * columns, width // 2 * local)

    spec = P("ep", None) if reduce else P("ep", "tp")
    function = jax.shard_map(body, mesh=mesh,
                             in_specs=({"scale": P()}, spec), out_specs=spec)
    x = jnp.asarray(rng.standard_normal((16 * rows * columns, width)),
                    jnp.float32)
    return (function, {"scale": jnp.float32(1.5)},
            jax.device_put(x, jax.NamedSharding(mesh, spec)))


def loss_of(function):
    return lambda weights, tokens: jnp.mean(function(weights, tokens) ** 2)


def check(way, function, weights, tokens, **options):
    optimize = lambda f, **more: moe_mlir.optimize(f, **{**options, **more})
    if way == "call":
        expect_same(jax.jit(function)(weights, tokens),
                    optimize(jax.jit(function))(weights, tokens))
    elif way == "jit":
        outer = lambda f: jax.jit(lambda w, t: f(w, t) * 2 + 1)
        expect_same(outer(function)(weights, tokens),
                    outer(optimize(function))(weights, tokens))
    elif way == "keyword":
        named = lambda weights, *, tokens: function(weights, tokens)
        expect_same(jax.jit(named)(weights, tokens=tokens),
                    optimize(named)(weights, tokens=tokens))
    elif way == "step":
        step = jax.value_and_grad(loss_of(function))
        expect_same(jax.jit(step)(weights, tokens),
                    optimize(step)(weights, tokens))
    elif way == "grad":
        outer = lambda f: jax.jit(jax.grad(loss_of(f)))
        expect_same(outer(function)(weights, tokens),
                    outer(optimize(function))(weights, tokens))
    elif way == "donate":
        # XLA reuses a donated buffer if it can.
        theirs, ours = jnp.copy(tokens), jnp.copy(tokens)
        want = jax.block_until_ready(
            jax.jit(function, donate_argnums=1)(weights, theirs))
        expect_same(want, optimize(function, donate_argnums=1)(weights, ours))
        assert ours.is_deleted() == theirs.is_deleted(), ours
    else:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            broken = optimize(function, tool="/bin/false", strict=False)
            expect_same(jax.jit(function)(weights, tokens),
                        broken(weights, tokens))
        assert any("runs as it was" in str(w.message) for w in caught), caught


first, count = map(int, sys.argv[2:4])
forms = collections.Counter()
for seed in range(first, first + count):
    rng = np.random.default_rng(seed)
    function, weights, tokens = (padded, exchanged)[seed % 2](rng)
    way, pipeline = WAYS[seed % len(WAYS)], str(rng.choice(PIPELINES))
    try:
        check(way, function, weights, tokens, pipeline=pipeline, strict=True)
        plan = moe_mlir.optimize(function, pipeline=pipeline).plan(weights,
                                                                   tokens)
    except Exception:
        print(f"seed {seed}: {way} through {pipeline}", flush=True)
        raise
    forms.update(one.form for one in plan.exchanges)
print(f"random: {count} layers;",
      ", ".join(f"{n} {form}" for form, n in sorted(forms.items())))
