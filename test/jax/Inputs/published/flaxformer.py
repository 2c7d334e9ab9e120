"""Writes the StableHLO of an MoE layer of Flaxformer, the layers of T5X.

usage: flaxformer.py CHECKOUT FOLDER

CHECKOUT is a clone of github.com/google/flaxformer; its layer is used as it is.
The environment needs JAX and Flax. Writes the layer and its gradient as JAX
emits them, which has only shardings, and NAME-resharded.mlir with the
collectives that Shardy's passes insert for these. The files next to this one
were written this way; no test runs it.
"""

import os
import sys
import types

checkout, folder = sys.argv[1:]
sys.path[:0] = [checkout, os.path.join(os.path.dirname(__file__), "..")]
import layers

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P


class Unused(types.ModuleType):
    """Replaces AQT, with which Flaxformer may quantize; only the names are
    needed."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Unused(name)


PACKAGE = "aqt.jax_legacy.jax"
for name in ("aqt", "aqt.jax_legacy", PACKAGE, PACKAGE + ".flax_layers",
             PACKAGE + ".quant_config", PACKAGE + ".quantization"):
    sys.modules[name] = Unused(name)

from flax.linen import partitioning
from flaxformer.architectures.moe import moe_layers, routing
from flaxformer.components import dense

# Hidden dims are whole on every device of a model axis, as without a user's
# rule.
RULES = {"batch": "expert", "expert": "expert", "mlp": "model",
         "expert_replicas": None, "embed": None, "unmodeled": None,
         "length": None}


def make_layer():
    router = routing.TokensChooseMaskedRouter(
        router_weights=routing.RouterWeights(
            name="router_weights", dtype=jnp.float32),
        jitter_noise=0.0, num_selected_experts=2, dtype=jnp.float32,
        batch_prioritized_routing=False, ignore_padding_tokens=False)
    expert = dense.MlpBlock(
        use_bias=False, intermediate_dim=32, activations=("gelu",),
        intermediate_dropout_rate=0.0, dtype=jnp.float32)
    return moe_layers.MoeLayer(
        num_experts=8, num_expert_partitions=4, max_group_size=16,
        router=router, expert=expert, train_capacity_factor=2.0,
        eval_capacity_factor=2.0, num_model_partitions=2, split_params=True,
        dtype=jnp.float32)


def place(mesh, values, axes):
    """Parameters as the layer names their axes."""
    if hasattr(values, "items"):
        return {k: place(mesh, v, axes.get(k, axes.get(k + "_axes")))
                for k, v in values.items()}
    spec = P(*(RULES[name] for name in axes.names))
    return jax.device_put(values, NamedSharding(mesh, spec))


mesh = jax.make_mesh((4, 2), ("expert", "model"),
                     axis_types=(AxisType.Auto,) * 2)
layer = make_layer()
tokens = jax.random.normal(jax.random.key(1), (16, 8, 8))
os.makedirs(folder, exist_ok=True)
with jax.set_mesh(mesh), partitioning.axis_rules(tuple(RULES.items())):
    made = layer.init({"params": jax.random.key(0)}, tokens,
                      enable_dropout=False)
    weights = place(mesh, made["params"], made["params_axes"])
    tokens = jax.device_put(tokens, NamedSharding(mesh, P("expert")))

    def flaxformer(weights, tokens):
        return layer.apply({"params": weights}, tokens, enable_dropout=False)

    def loss(weights, tokens):
        return jnp.mean(flaxformer(weights, tokens) ** 2)

    def flaxformer_gradient(weights, tokens):
        return jax.value_and_grad(loss)(weights, tokens)

    for step in flaxformer, flaxformer_gradient:
        name = step.__name__.replace("_", "-")
        lowered = jax.jit(step).lower(weights, tokens)
        for what, reshards in ("", False), ("-resharded", True):
            with open(f"{folder}/{name}{what}.mlir", "w") as file:
                file.write(layers.generic_text(lowered, reshards))
