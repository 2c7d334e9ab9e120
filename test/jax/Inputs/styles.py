"""MoE layers in other people's styles, in addition to layers.py.

Each takes (weights, tokens) of `layers.make_arguments`; `STYLES` has them by
name, `ALL` also the layers of layers.py.
"""

import functools

import layers
from layers import CHOICES, EXPERTS, RANKS, SLOTS, TOKENS, WIDTH

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def place(scores, choices):
    """GShard's tensors: [tokens, experts, slots] for sending and for adding up.
    GShard's tensors: [tokens, experts, slots] for sending and for adding up."""
    weight, expert = lax.top_k(scores, choices)
    picked = jax.nn.one_hot(expert, EXPERTS, dtype=jnp.int32)
    flat = picked.transpose(1, 0, 2).reshape(-1, EXPERTS)
    slot = ((jnp.cumsum(flat, 0) - flat) * flat).sum(-1)
    slot = slot.reshape(choices, -1).T
    send = (jax.nn.one_hot(expert, EXPERTS)[..., None]
            * jax.nn.one_hot(slot, SLOTS)[:, :, None, :])
    return send.sum(1), (send * weight[..., None, None]).sum(1)


def expert(up, down, rows):
    return jax.nn.gelu(rows @ up) @ down


def switch(weights, tokens):
    """Top-1 in bfloat16 with jitter; experts by vmap; untiled exchanges."""
    tokens = tokens.astype(jnp.bfloat16)
    weights = jax.tree.map(lambda w: w.astype(jnp.bfloat16), weights)
    key = jax.random.fold_in(jax.random.key(3), lax.axis_index("ep"))
    jitter = jax.random.uniform(key, tokens.shape, jnp.float32, 0.99, 1.01)
    logits = (tokens * jitter.astype(tokens.dtype)) @ weights["gate"]
    send, add = place(jax.nn.softmax(logits.astype(jnp.float32)), 1)
    rows = jnp.einsum("sec,sm->ecm", send.astype(tokens.dtype), tokens)
    rows = rows.reshape(RANKS, EXPERTS // RANKS, SLOTS, WIDTH)
    rows = lax.all_to_all(rows, "ep", 0, 1)  # to a place of its own
    rows = rows.reshape(EXPERTS // RANKS, RANKS * SLOTS, WIDTH)
    rows = jax.vmap(expert)(weights["up"], weights["down"], rows)
    rows = lax.psum(rows, "tp")
    rows = rows.reshape(EXPERTS // RANKS, RANKS, SLOTS, WIDTH)
    rows = lax.all_to_all(rows, "ep", 1, 0).reshape(EXPERTS, SLOTS, WIDTH)
    add = add.astype(tokens.dtype)
    return jnp.einsum("sec,ecm->sm", add, rows).astype(jnp.float32)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def exchange(rows, axis):
    return lax.all_to_all(rows, axis, 0, 0, tiled=True)


def exchange_forward(rows, axis):
    return exchange(rows, axis), None


def exchange_backward(axis, _, cotangent):
    return (exchange(cotangent, axis),)


exchange.defvjp(exchange_forward, exchange_backward)


def hand_written(weights, tokens):
    """Exchanges with gradients written by the user; recomputed backward."""

    @functools.partial(
        jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def made(weights, tokens):
        send, add = place(jax.nn.softmax(tokens @ weights["gate"]), CHOICES)
        rows = jnp.einsum("sec,sm->ecm", send, tokens)
        rows = exchange(rows.reshape(RANKS, -1, SLOTS, WIDTH), "ep")
        hidden = jax.nn.silu(
            jnp.einsum("gesm,emh->gesh", rows, weights["up"]))
        rows = jnp.einsum("gesh,ehm->gesm", hidden, weights["down"])
        rows = exchange(lax.psum(rows, "tp"), "ep")
        return jnp.einsum("sec,ecm->sm", add, rows.reshape(-1, SLOTS, WIDTH))

    return made(weights, tokens)


def shard(body, mesh, **options):
    return jax.shard_map(body, mesh=mesh, out_specs=layers.TOKEN_SPEC,
                         in_specs=(layers.SPECS, layers.TOKEN_SPEC), **options)


def gradient(layer):
    def step(mesh):
        made = layer(mesh)
        return jax.value_and_grad(
            lambda weights, tokens: jnp.mean(made(weights, tokens) ** 2))

    return step


def accumulated(mesh):
    """Gradients of parts of the tokens, added up in a loop."""
    body = functools.partial(layers.padded, reduce="psum")
    step = jax.value_and_grad(
        lambda weights, tokens: jnp.mean(shard(body, mesh)(weights, tokens)))

    def layer(weights, tokens):
        def add(i, sums):
            made = step(weights, tokens * (1.0 + i))
            return jax.tree.map(jnp.add, sums, made)

        zeros = jax.tree.map(jnp.zeros_like, (jnp.float32(0), weights))
        return lax.fori_loop(0, 2, add, zeros)

    return layer


def einsum(mesh):
    """GShard's way: groups of tokens, einsums and shardings alone."""

    def put(value, *axes):
        return lax.with_sharding_constraint(
            value, NamedSharding(mesh, P(*axes)))

    def layer(weights, tokens):
        groups = put(tokens.reshape(RANKS, TOKENS, WIDTH), "ep")
        scores = jax.nn.softmax(groups @ weights["gate"])
        send, add = jax.vmap(lambda own: place(own, CHOICES))(scores)
        rows = put(jnp.einsum("gsec,gsm->gecm", put(send, "ep"), groups), "ep")
        rows = put(rows.swapaxes(0, 1), "ep")
        hidden = jnp.einsum("egcm,emh->egch", rows, weights["up"])
        hidden = put(jax.nn.silu(hidden), "ep", None, None, "tp")
        rows = put(jnp.einsum("egch,ehm->egcm", hidden, weights["down"]), "ep")
        rows = put(rows.swapaxes(0, 1), "ep")
        made = jnp.einsum("gsec,gecm->gsm", put(add, "ep"), rows)
        return put(made.reshape(tokens.shape), "ep")

    return layer


def both_axes(mesh):
    """Experts over all devices: groups of two axes; each device has its own
    rows."""

    def body(weights, tokens):
        tokens = tokens.reshape(RANKS * layers.PARTS, -1, WIDTH)
        rows = lax.all_to_all(tokens, ("ep", "tp"), 0, 0, tiled=True)
        rows = jax.nn.silu(rows @ weights["up"][0, :, :WIDTH])
        rows = lax.all_to_all(rows, ("ep", "tp"), 0, 0, tiled=True)
        return lax.psum(rows.reshape(-1, WIDTH), "tp")

    return shard(body, mesh)


def loop(mesh):
    """The same layer repeatedly in a scan inside the computation."""
    body = functools.partial(layers.padded, reduce="scatter")

    def layers_of(weights, tokens):
        step = lambda x, _: (x + body(weights, x), None)
        return lax.scan(step, tokens, None, length=2)[0]

    return shard(layers_of, mesh)


def ring(mesh, **options):
    """Rows that circulate in a ring of ranks, one step per iteration."""
    steps = [(rank, (rank + 1) % RANKS) for rank in range(RANKS)]

    def body(tokens):
        def step(i, carried):
            rows, made = carried
            rows = lax.ppermute(rows, "ep", steps)
            return rows, made + jax.nn.silu(rows) * (1.0 + i)

        made = lax.fori_loop(0, RANKS - 1, step, (tokens, tokens))[1]
        return lax.ppermute(made, "ep", steps[1:])

    made = jax.shard_map(body, mesh=mesh, in_specs=P("ep"), out_specs=P("ep"),
                         check_vma=False, **options)
    return lambda weights, tokens: made(tokens)


STYLES = {
    "switch": lambda mesh: shard(switch, mesh),
    "hand-written-gradient": gradient(
        lambda mesh: shard(hand_written, mesh, check_vma=False)),
    "accumulated": accumulated,
    "einsum": einsum,
    "einsum-gradient": gradient(einsum),
    "both-axes": both_axes,
    "loop-gradient": gradient(loop),
}
ALL = {**layers.LAYERS, **STYLES}
# Functions that are run, but without a stored dump.
RINGS = {
    "ring": ring,
    "ring-gradient": gradient(ring),
    "ring-of-one-axis": lambda mesh: ring(mesh, axis_names={"ep"}),
}
# Layers with only shardings.
RESHARDED = {"constrained", "einsum", "einsum-gradient"}
