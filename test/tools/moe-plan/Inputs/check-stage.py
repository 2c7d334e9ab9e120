"""Checks the activations that `moe-plan memory` counts for the fullest rank
against a hand count: a token's numbers, layer by layer, from the published
sizes of a model.

usage: check-stage.py MODEL TP PP SP SEQ BATCH RECOMPUTE ANSWER
"""

import json
import sys

# Hidden size; the widths that attention keeps on its ranks, all heads together;
# those that it does not split; heads; experts; top-k; along feed-forward
# networks: of an expert, shared, dense; matrices; layers of both kinds; words.
MODELS = {
    # Queries 32 x 128, keys and values 2 x 4 x 128, output 32 x 128.
    "qwen3-30b-a3b": (2048, 4096 + 2 * 512 + 4096, 0, 32, 128, 8,
                      768, 0, 0, 3, 48, 0, 151936),
    # Queries 128 x (128 + 64), keys and values 128 x (128 + 128), output
    # 128 x 128; latents 1536, 512 and 64; a shared expert of 2048.
    "deepseek-v3": (7168, 128 * 192 + 128 * 256 + 128 * 128, 1536 + 512 + 64,
                    128, 256, 8, 2048, 2048, 18432, 3, 58, 3, 129280),
    # Queries 48 x 128, keys and values 2 x 8 x 128.
    "mixtral-8x22b": (6144, 6144 + 2 * 1024 + 6144, 0, 48, 8, 2,
                      16384, 0, 0, 3, 56, 0, None),
    "gpt2-xl-moe": (1600, 4 * 1600, 0, 25, 8, 2,
                    6400, 0, 0, 2, 48, 0, 50257),
}

name, *numbers, recompute, answer = sys.argv[1:]
tp, pp, sp, seq, batch = map(int, numbers)
(h, split, latents, heads, experts, k, ffn, shared, dense, matrices, moe_layers,
 dense_layers, words) = MODELS[name]
# 16-bit numbers are two bytes. A norm keeps its input and its output.
norm = 2 * 2 * h
factor = 1 / tp if sp else 1
attention = (norm + 2 * 2 * latents) * factor + (2 * split + 4 * heads) / tp
# Gated: both factors and their product; else before and after the activation.
inner = 2 * (3 if matrices == 3 else 2) / tp
# Scores and logits are of 32 bits. A chosen expert reads and gives h numbers.
moe = ((norm + 2 * 4 * experts + k * 2 * 2 * h) * factor
       + k * inner * ffn + inner * shared)
plain = norm * factor + inner * dense
tokens = seq * batch
layers = moe_layers + dense_layers
if recompute == "full":
    first = tokens * 2 * h * layers * factor
    working = tokens * (attention + max(moe, plain if dense_layers else 0))
else:
    first = tokens * (layers * attention + moe_layers * moe
                      + dense_layers * plain)
    working = 0
last = first / pp + working + tokens * (words or 0) * (2 + 4) / tp
expected = max(first + working, last)

with open(answer) as file:
    got = json.load(file)["per_rank"]["as_configured"]["activation_bytes"]
if abs(got - expected) > 10:
    sys.exit(f"{sys.argv[1:]}: expected {expected} bytes, got {got}")
print(f"{name}: {got}")
