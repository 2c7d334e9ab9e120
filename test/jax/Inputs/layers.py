"""MoE layers as users of JAX write them, on a mesh of 4 x 2 devices.

Every layer takes (weights, tokens). `LAYERS` has them by name.
"""

import functools
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Threads for all devices, because they wait for each other.
os.environ.setdefault("NPROC", "64")

import jax
import jax.interpreters.mlir as jax_mlir
import jax.numpy as jnp
from jax import lax
from jax.experimental import xla_metadata
from jax.extend.mlir import ir, passmanager
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

RANKS, PARTS = 4, 2  # devices along ep and tp
EXPERTS, CHOICES = 8, 2
TOKENS, WIDTH, HIDDEN = 16, 8, 32  # tokens a device
SLOTS = 8  # of an expert, for the tokens of one device

SPECS = {
    "gate": P(None, None),
    "up": P("ep", None, "tp"),
    "down": P("ep", "tp", None),
}
TOKEN_SPEC = P("ep", None)


def make_mesh():
    return jax.make_mesh(
        (RANKS, PARTS), ("ep", "tp"), axis_types=(AxisType.Auto,) * 2
    )


def make_arguments(mesh):
    """Weights and random tokens, sharded."""
    keys = jax.random.split(jax.random.key(11), 4)
    weights = {
        "gate": jax.random.normal(keys[0], (WIDTH, EXPERTS)),
        "up": jax.random.normal(keys[1], (EXPERTS, WIDTH, HIDDEN)) / 4,
        "down": jax.random.normal(keys[2], (EXPERTS, HIDDEN, WIDTH)) / 4,
    }
    tokens = jax.random.normal(keys[3], (RANKS * TOKENS, WIDTH))
    put = lambda value, spec: jax.device_put(value, NamedSharding(mesh, spec))
    return {k: put(v, SPECS[k]) for k, v in weights.items()}, put(
        tokens, TOKEN_SPEC
    )


def choose(gate, tokens):
    """The experts of each token and their weights."""
    scores = jax.nn.softmax(tokens @ gate)
    weight, expert = lax.top_k(scores, CHOICES)
    return weight / weight.sum(-1, keepdims=True), expert


def experts_in_one(rows, weights):
    """Experts on the rows of all senders as one dim."""
    rows = rows.transpose(1, 0, 2, 3).reshape(
        EXPERTS // RANKS, RANKS * SLOTS, WIDTH
    )
    rows = jnp.einsum("esm,emh->esh", rows, weights["up"])
    rows = jnp.einsum("esh,ehm->esm", jax.nn.silu(rows), weights["down"])
    rows = rows.reshape(EXPERTS // RANKS, RANKS, SLOTS, WIDTH)
    return rows.transpose(1, 0, 2, 3)


def experts_by_sender(rows, weights):
    """Experts on rows with a separate dim for senders."""
    rows = jnp.einsum("gesm,emh->gesh", rows, weights["up"])
    return jnp.einsum("gesh,ehm->gesm", jax.nn.silu(rows), weights["down"])


def gated_experts(rows, weights):
    """SwiGLU with a bias, which reads the received rows twice."""
    gate, up = jnp.split(weights["up"], 2, -1)
    bias = weights["gate"].sum() * up[:, 0]
    opened = jnp.einsum("gesm,emh->gesh", rows, gate)
    rows = jnp.einsum("gesm,emh->gesh", rows, up) + bias[:, None]
    down = weights["down"][:, : HIDDEN // PARTS // 2]
    return jnp.einsum("gesh,ehm->gesm", jax.nn.silu(opened) * rows, down)


def padded(weights, tokens, *, reduce, experts=experts_in_one):
    """A fixed number of slots per expert; other tokens are dropped."""
    weight, expert = choose(weights["gate"], tokens)
    picked = jax.nn.one_hot(expert, EXPERTS, dtype=jnp.int32)
    flat = picked.reshape(TOKENS * CHOICES, EXPERTS)
    slot = ((jnp.cumsum(flat, 0) - flat) * flat).sum(-1)
    place = jax.nn.one_hot(expert.reshape(-1), EXPERTS)[:, :, None]
    place = place * jax.nn.one_hot(slot, SLOTS)[:, None, :]
    place = place.reshape(TOKENS, CHOICES, EXPERTS, SLOTS)
    send = jnp.einsum("tkes,tm->esm", place, tokens)
    send = send.reshape(RANKS, EXPERTS // RANKS, SLOTS, WIDTH)
    exchange = functools.partial(
        lax.all_to_all, axis_name="ep", split_axis=0, concat_axis=0, tiled=True
    )
    with jax.named_scope("dispatch"):
        rows = exchange(send)
    rows = experts(rows, weights)
    with jax.named_scope("combine"):
        if reduce == "psum":
            back = exchange(lax.psum(rows, "tp"))
        else:
            part = lax.psum_scatter(
                rows, "tp", scatter_dimension=3, tiled=True
            )
            back = lax.all_gather(
                exchange(part), "tp", axis=3, tiled=True, to="invarying"
            )
    back = back.reshape(EXPERTS, SLOTS, WIDTH)
    return jnp.einsum("tkes,tk,esm->tm", place, weight, back)


def ragged(weights, tokens):
    """Dropless: sends as many rows as each device needs."""
    weight, expert = choose(weights["gate"], tokens)
    flat = expert.reshape(-1)
    order = jnp.argsort(flat)
    rows = tokens[order // CHOICES]
    counts = jnp.bincount(flat, length=EXPERTS)
    size = counts.reshape(RANKS, -1).sum(1).astype(jnp.int32)
    sizes = lax.all_gather(size, "ep")  # from, to
    of_expert = lax.all_gather(counts, "ep").reshape(RANKS, RANKS, -1)
    me = lax.axis_index("ep")
    starts = lambda value, axis: jnp.cumsum(value, axis) - value
    limit = 2 * TOKENS * CHOICES
    vary = lambda value: lax.pcast(value, "ep", to="varying")
    got = lax.ragged_all_to_all(
        rows,
        vary(jnp.zeros((limit, WIDTH))),
        starts(size, 0),
        size,
        starts(sizes, 0)[me],
        sizes[:, me],
        axis_name="ep",
    )
    mine = of_expert[:, me]
    which = jnp.tile(jnp.arange(EXPERTS // RANKS), RANKS)
    which = jnp.repeat(which, mine.reshape(-1), total_repeat_length=limit)
    which = jnp.where(jnp.arange(limit) < mine.sum(), which, EXPERTS)
    by_expert = jnp.argsort(which)
    groups = mine.sum(0).astype(jnp.int32)
    hidden = lax.ragged_dot(got[by_expert], weights["up"], groups)
    made = lax.ragged_dot(jax.nn.silu(hidden), weights["down"], groups)
    made = lax.psum(made, "tp")
    made = jnp.zeros_like(made).at[by_expert].set(made)
    back = lax.ragged_all_to_all(
        made,
        vary(jnp.zeros((TOKENS * CHOICES, WIDTH))),
        starts(sizes[:, me], 0),
        sizes[:, me],
        starts(sizes, 1)[:, me],
        size,
        axis_name="ep",
    )
    back = jnp.zeros_like(back).at[order].set(back)
    return jnp.einsum(
        "tkm,tk->tm", back.reshape(TOKENS, CHOICES, WIDTH), weight
    )


def _shard(body, mesh, **options):
    return jax.shard_map(
        body,
        mesh=mesh,
        in_specs=(SPECS, TOKEN_SPEC),
        out_specs=TOKEN_SPEC,
        **options,
    )


def _gradient(make, **options):
    def step(mesh):
        layer = make(mesh, **options)
        loss = lambda weights, tokens: jnp.mean(layer(weights, tokens) ** 2)
        return jax.value_and_grad(loss)

    return step


def psum(mesh, **options):
    return _shard(functools.partial(padded, reduce="psum"), mesh, **options)


def scatter(mesh, **options):
    return _shard(functools.partial(padded, reduce="scatter"), mesh, **options)


def grouped(mesh):
    """Marked as a layer, as by `moe_mlir.layer`."""
    layer = _shard(functools.partial(
        padded, reduce="psum", experts=experts_by_sender), mesh)

    def marked(weights, tokens):
        with xla_metadata.set_xla_metadata(moe_layer="L7"):
            return layer(weights, tokens)

    return marked


def grouped_gradient(mesh):
    """Also the gradient of tokens, as if other layers precede this one."""
    layer = grouped(mesh)
    loss = lambda weights, tokens: jnp.mean(layer(weights, tokens) ** 2)
    return jax.value_and_grad(loss, argnums=(0, 1))


def gated(mesh):
    return _shard(functools.partial(
        padded, reduce="scatter", experts=gated_experts), mesh)


def dropless(mesh, **options):
    return _shard(ragged, mesh, **options)


def one_axis(mesh):
    """Manual along ep alone; nothing is known about tp."""

    def body(tokens):
        rows = tokens.reshape(RANKS, -1, WIDTH)
        return lax.all_to_all(rows, "ep", 0, 0, tiled=True).reshape(-1, WIDTH)

    layer = jax.shard_map(
        body,
        mesh=mesh,
        in_specs=TOKEN_SPEC,
        out_specs=TOKEN_SPEC,
        axis_names={"ep"},
    )
    return lambda weights, tokens: layer(tokens * 2)


def stack(mesh):
    """Layers in a scan, recomputed for the gradient."""
    layer = jax.checkpoint(psum(mesh))

    def loss(weights, tokens):
        step = lambda x, w: (x + layer(w, x), None)
        both = jax.tree.map(lambda w: jnp.stack([w, w]), weights)
        return jnp.mean(lax.scan(step, tokens, both)[0] ** 2)

    return jax.grad(loss)


def constrained(mesh):
    """Only shardings of global values; there is no collective yet."""

    def layer(weights, tokens):
        def put(value, *axes):
            spec = NamedSharding(mesh, P(*axes))
            return lax.with_sharding_constraint(value, spec)

        rows = tokens.reshape(RANKS, EXPERTS, -1, WIDTH)
        rows = put(put(rows, "ep"), None, "ep")
        up, down = (put(weights[k], "ep") for k in ("up", "down"))
        rows = jnp.einsum("gesm,emh->gesh", rows, up)
        rows = jnp.einsum("gesh,ehm->gesm", jax.nn.silu(rows), down)
        rows = put(put(rows, None, "ep"), "ep")
        return put(rows.reshape(tokens.shape), "ep")

    return layer


LAYERS = {
    "constrained": constrained,
    "gated": gated,
    "gated-gradient": _gradient(gated),
    "grouped": grouped,
    "grouped-gradient": grouped_gradient,
    "psum": psum,
    "psum-gradient": _gradient(psum),
    "psum-gradient-unchecked": _gradient(psum, check_vma=False),
    "scatter": scatter,
    "scatter-gradient": _gradient(scatter),
    "dropless": dropless,
    "dropless-gradient": _gradient(dropless),
    "one-axis": one_axis,
    "stack-gradient": stack,
}


def lower(name, make, mesh=None, arguments=None):
    mesh = mesh or make_mesh()
    layer = make(mesh)
    # The module has the function's name.
    layer.__name__ = name.replace("-", "_")
    return jax.jit(layer).lower(*(arguments or make_arguments(mesh)))


# Shardy's own way from shardings to collectives.
RESHARD = (
    "builtin.module(sdy-propagation-pipeline,func.func("
    "sdy-insert-explicit-reshards{enable-full-version=true}),"
    "func.func(sdy-reshard-to-collectives),canonicalize,cse)"
)


def generic_text(lowered, reshard=False):
    """The text that moe-opt reads; no file is named in it."""
    module = lowered.compiler_ir("stablehlo")
    if reshard:
        # The module belongs to JAX's caches, so a copy is changed.
        with jax_mlir.make_ir_context():
            copy = ir.Module.parse(
                module.operation.get_asm(print_generic_op_form=True)
            )
            passmanager.PassManager.parse(RESHARD).run(copy.operation)
            return copy.operation.get_asm(print_generic_op_form=True) + "\n"
    return module.operation.get_asm(print_generic_op_form=True) + "\n"
