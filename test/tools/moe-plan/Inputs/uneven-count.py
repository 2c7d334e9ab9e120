"""Counts by hand what each stage of a model holds whose layers do not divide,
and compares it, and the fullest of them, with what moe-plan memory says.

usage: uneven-count.py CONFIG STAGES VIRTUAL ANSWER
(ep 8, tp 2 with sequence parallelism, ZeRO 1, one sequence of 4096 tokens)
"""

import json
import sys

config = json.load(open(sys.argv[1]))
stages, virtual = int(sys.argv[2]), int(sys.argv[3])
said = json.load(open(sys.argv[4]))["per_rank"]
EP, TP, TOKENS = 8, 2, 4096

h, layers = config["hidden_size"], config["num_hidden_layers"]
vocabulary = config["vocab_size"]
heads = config["num_attention_heads"]
deepseek = "kv_lora_rank" in config
if deepseek:
    experts, top_k = config["n_routed_experts"], config["num_experts_per_tok"]
    expert_ffn, dense_ffn = (config["moe_intermediate_size"],
                             config["intermediate_size"])
    shared_ffn = config["n_shared_experts"] * expert_ffn
    first_moe = config["first_k_dense_replace"]
    q_rank, kv_rank = config["q_lora_rank"], config["kv_lora_rank"]
    rope, nope = config["qk_rope_head_dim"], config["qk_nope_head_dim"]
    value = config["v_head_dim"]
    queries, output = heads * (nope + rope), heads * value
    kept_kv = heads * (nope + value)
    latents = q_rank + kv_rank + rope
    attention_weights = (h * q_rank + q_rank * queries + h * (kv_rank + rope)
                         + kv_rank * kept_kv + output * h)
else:
    experts, top_k = config["num_local_experts"], config["num_experts_per_tok"]
    expert_ffn, dense_ffn, shared_ffn = config["intermediate_size"], 0, 0
    first_moe = 0
    head = h // heads
    queries = output = h
    kept_kv = 2 * config["num_key_value_heads"] * head
    latents = 0
    attention_weights = 2 * h * h + h * kept_kv

# All pieces but the first and the last are alike; the largest is smallest.
pieces = stages * virtual
if layers % pieces == 0:
    cut = (layers // pieces,) * 3
else:
    cut = min(((rest // 2, m, rest - rest // 2)
               for m in range(1, layers)
               if (rest := layers - (pieces - 2) * m) >= 2),
              key=lambda c: (max(c if pieces > 2 else c[::2]),
                             -min(c if pieces > 2 else c[::2])))
sizes = [cut[0]] + [cut[1]] * (pieces - 2) + [cut[2]]
assert sum(sizes) == layers

# What a rank holds of a layer: parameters, and bytes for the backward pass.
others = (attention_weights) / TP
moe_others = (h * experts + 3 * h * shared_ffn) / TP
dense_others = 3 * h * dense_ffn / TP
expert_parameters = 3 * h * expert_ffn * experts / EP / TP
attention_kept = ((4 * h + 4 * latents) / TP
                  + (2 * (queries + kept_kv + output) + 4 * heads) / TP)
dense_kept = 4 * h / TP + 6 * dense_ffn / TP
moe_kept = ((4 * h + 8 * experts) / TP + 4 * h * top_k / TP
            + top_k * 6 * expert_ffn / TP + 6 * shared_ffn / TP)


def held(stage):
    """How many micro-batches of each piece a stage holds when they have the most
    layers: 1F1B, interleaved as Megatron does."""
    batches = 3 * stages
    passes = batches * virtual
    ahead = stages - stage - 1
    if virtual > 1:
        ahead = 2 * ahead + (virtual - 1) * stages
    piece = [i % (stages * virtual) // stages for i in range(passes)]
    counts, most, most_layers = [0] * virtual, None, 0
    for i in range(min(ahead, passes) + passes):
        if i < passes:
            counts[piece[i]] += 1
        layers_held = sum(count * sizes[own * stages + stage]
                          for own, count in enumerate(counts))
        if layers_held > most_layers:
            most, most_layers = list(counts), layers_held
        if i >= ahead:
            counts[virtual - 1 - piece[i - ahead]] -= 1
    return most


totals = []
starts = [sum(sizes[:i]) for i in range(pieces)]
for stage in range(stages):
    mine = [l for i in range(stage, pieces, stages)
            for l in range(starts[i], starts[i] + sizes[i])]
    moe = sum(l >= first_moe for l in mine)
    dense = len(mine) - moe
    p = len(mine) * others + moe * moe_others + dense * dense_others
    if stage == 0:
        p += h * vocabulary / TP
    if stage == stages - 1:
        p += h * vocabulary / TP
    states = p * (4 + 12 / EP) + moe * expert_parameters * 16
    kept = 0
    for own, count in enumerate(held(stage)):
        first = starts[own * stages + stage]
        for layer in range(first, first + sizes[own * stages + stage]):
            kept += TOKENS * count * (attention_kept + (
                moe_kept if layer >= first_moe else dense_kept))
    if stage == stages - 1:
        kept += TOKENS * 6 * vocabulary / TP
    totals.append(states + kept)
fullest = max(range(stages), key=totals.__getitem__)
stages_said = [stage["total_bytes"] for stage in said["stages"]]
if len(stages_said) != stages or any(
        abs(one / total - 1) > 0.001 for one, total in zip(stages_said, totals)):
    sys.exit(f"stages of {stages_said} bytes, by hand {[round(t) for t in totals]}")
found = said["as_configured"]["total_bytes"]
if abs(found / totals[fullest] - 1) > 0.001:
    sys.exit(f"{found} bytes, by hand {totals[fullest]:.0f} of stage {fullest}")
print(f"layers {sizes[0]} {pieces - 2}x{cut[1]} {sizes[-1]}: fullest stage "
      f"{fullest}, {found} bytes")
