"""Checks the activations that `moe-plan memory --recompute=selective` counts on a rank
without tensor parallelism against a hand count of what each framework keeps.

usage: check-selective.py MODULES EP TOKENS CONFIG ANSWER
"""

import json
import sys

modules = set(sys.argv[1].split(","))
ep, tokens = int(sys.argv[2]), int(sys.argv[3])
config = json.load(open(sys.argv[4]))
got = json.load(open(sys.argv[5]))["per_rank"]["as_configured"]

h, heads = config["hidden_size"], config["num_attention_heads"]
k, ffn = config["num_experts_per_tok"], config["moe_intermediate_size"]
experts = config["n_routed_experts"]
shared = config["n_shared_experts"] * ffn
dense = config["intermediate_size"]
nope, rope, value = (config[f"{key}_head_dim"] for key in ("qk_nope", "qk_rope", "v"))
latent, query_latent = config["kv_lora_rank"], config.get("q_lora_rank") or 0
queries, output = heads * (nope + rope), heads * value
keys_values = heads * (nope + value)
layers, dense_layers = config["num_hidden_layers"], config["first_k_dense_replace"]

# All that a token makes in a layer: 16-bit numbers are two bytes.
norm = 2 * 2 * h
made = {"attention": norm + 2 * 2 * (query_latent + latent + rope)
        + 2 * (queries + keys_values + output) + 4 * heads,
        "moe": norm + 2 * 4 * experts + k * (2 * 2 * h + 6 * ffn) + 6 * shared,
        "dense": norm + 6 * dense}
kept = dict(made)
if modules == {"op"}:
    # Outputs of every other product of attention and feed-forward network, in the
    # order in which they are computed; of attention; of both all-to-alls; and the
    # input of the layer.
    attention = ([query_latent] if query_latent else []) + [queries, latent + rope,
                                                            keys_values, h]
    start = len(attention)

    def products(widths):
        return sum(2 * w for i, w in enumerate(widths) if (i + start) % 2 == 0)

    kept["attention"] = (2 * h + sum(2 * w for w in attention[::2])
                         + 2 * output + 4 * heads)
    kept["moe"] = products([shared, shared, h]) + (2 * k * 2 * h if ep > 1 else 0)
    kept["dense"] = products([dense, dense, h])
if "core_attn" in modules:
    kept["attention"] -= 4 * heads
if "mla_up_proj" in modules:
    kept["attention"] -= 2 * (queries + keys_values)
if "moe_act" in modules:
    kept["moe"] -= k * 2 * ffn
if "shared_experts" in modules:
    kept["moe"] -= 6 * shared
if "moe" in modules:
    kept["moe"] = norm
if "mlp" in modules:
    kept["dense"] = norm
if "layernorm" in modules:
    kept = {part: size - 2 * h for part, size in kept.items()}

moe_layers = layers - dense_layers
expected = {"attention_bytes": layers * kept["attention"],
            "moe_bytes": moe_layers * kept["moe"],
            "dense_bytes": dense_layers * kept["dense"],
            "working_set_bytes": max(
                made["attention"] + made[part] - kept["attention"] - kept[part]
                for part in ("moe", "dense"))}
for part, size in expected.items():
    assert abs(got[part] - tokens * size) <= 10, (part, got[part], tokens * size)
assert set(got["recompute_modules"]) == modules, got
print("as by hand:", *sorted(modules))
