"""Ragged exchanges of JAX on eight CPU devices, compared with a reference on
one.

usage: ragged.py FOLDER_OF_LAYERS
"""

import sys

sys.path.insert(0, sys.argv[1])

import layers

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

import moe_mlir

moe_mlir.enable_ragged_on_cpu()
moe_mlir.enable_ragged_on_cpu()  # twice does no harm
mesh = layers.make_mesh()
weights, tokens = layers.make_arguments(mesh)
local = jax.tree.map(np.asarray, (weights, tokens))


def reference(weights, tokens):
    """Every token by its experts, with no exchange at all."""
    weight, expert = layers.choose(weights["gate"], tokens)
    hidden = jnp.einsum("tm,emh->teh", tokens, weights["up"])
    made = jnp.einsum("teh,ehm->tem", jax.nn.silu(hidden), weights["down"])
    picked = jnp.take_along_axis(made, expert[:, :, None], 1)
    return jnp.einsum("tkm,tk->tm", picked, weight)


def furthest(a, b):
    return max(float(np.abs(np.asarray(x) - np.asarray(y)).max())
               for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b)))


layer = jax.jit(layers.dropless(mesh))
assert furthest(layer(weights, tokens), reference(*local)) < 1e-5
print("forward: as the reference")
gradient = lambda f: jax.jit(
    jax.grad(lambda w, t: jnp.mean(f(w, t) ** 2), argnums=(0, 1)))
want = gradient(reference)(*local)
have = gradient(layers.dropless(mesh))
# Devices reach exchanges, all-to-alls and all-reduces in different orders.
for _ in range(500):
    assert furthest(jax.block_until_ready(have(weights, tokens)), want) < 1e-5
print("backward: 500 times as the reference")
first = np.asarray(layer(weights, tokens))
for _ in range(50):
    assert (np.asarray(jax.block_until_ready(layer(weights, tokens)))
            == first).all()
print("again: 50 times the same bits")


# Uneven rows, in a loop; then sizes that differ between two devices.
def send(shift):
    def body(x):
        me = lax.axis_index("ep")
        to = (jnp.arange(4) + me) % 3
        sizes = lax.all_gather(to, "ep")
        starts = jnp.cumsum(to) - to
        at = (jnp.cumsum(sizes, 0) - sizes)[me]
        got = sizes[:, me] + shift
        step = lambda _, y: lax.ragged_all_to_all(
            y, jnp.zeros_like(y), starts, to, at, got, axis_name="ep")
        return lax.fori_loop(0, 3, step, x)
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("ep"),
                                 out_specs=P("ep"), check_vma=False))


x = jnp.arange(4 * 8 * 3.0).reshape(4 * 8, 3)
want = np.asarray(x).reshape(4, 8, 3)
for _ in range(3):
    next_rows = np.zeros_like(want)
    for to in range(4):
        rows = []
        for source in range(4):
            sizes = [(place + source) % 3 for place in range(4)]
            start = sum(sizes[:to])
            rows.append(want[source, start:start + sizes[to]])
        rows = np.concatenate(rows)
        next_rows[to, :len(rows)] = rows
    want = next_rows
assert (np.asarray(send(0)(x)).reshape(4, 8, 3) == want).all()
print("loop: three exchanges")


# Equal exchanges without data dependences, and a function that XLA inlines five
# times. Large rows, because XLA runs small ops one after another.
def even(x):
    rows = x.shape[0] // 4
    sizes = jnp.full((4,), rows)
    return lax.ragged_all_to_all(
        x, jnp.zeros_like(x), jnp.arange(4) * rows, sizes,
        jnp.full((4,), lax.axis_index("ep") * rows), sizes, axis_name="ep")


def five(exchange):
    body = lambda x: [exchange(jnp.sin(x + i)) for i in range(5)]
    return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("ep"),
                                 out_specs=P("ep"), check_vma=False))


x = jnp.arange(4 * 8192 * 4.0).reshape(-1, 4) / 1e4
want = five(lambda x: lax.all_to_all(x, "ep", 0, 0, tiled=True))(x)
for exchange in even, jax.jit(even):
    run = five(exchange)
    for _ in range(30):
        assert furthest(jax.block_until_ready(run(x)), want) < 1e-5
print("five: as all-to-alls")
try:
    jax.block_until_ready(send(1)(jnp.arange(4 * 8 * 3.0).reshape(-1, 3)))
    sys.exit("expected an error")
except Exception as error:
    print("refused:", [line for line in str(error).splitlines()
                       if "ragged_all_to_all:" in line][0].strip())
