"""A hand count of what training holds on a rank, tensor by tensor, beside what
`moe-plan memory` says of the total: no further apart than a tenth.

usage: hand-count.py MODEL RECOMPUTE ANSWER ZERO [GRADIENT-BYTES]

The job: tp 2 with sequence parallelism, ep 8, dp 2, ZeRO-1 or 3, two sequences of
4096 tokens. Weights and activations are of 16 bits, gradients too unless their bytes
are given; Adam has a 32-bit weight and two 32-bit moments. Of states alone the two
are the same to a twentieth.
"""

import json
import sys

TP, EP, DP, TOKENS = 2, 8, 2, 2 * 4096

# name: hidden, layers, of which dense; attention's matrices (inputs x outputs);
# what attention keeps of a token, in 16-bit numbers, apart from its input;
# heads; experts, top-k, hidden size of an expert, of the shared one, of a
# dense layer; matrices; words; whether in- and output share their weights.
MODELS = {
    "qwen3-30b-a3b": dict(
        hidden=2048, layers=48, dense=0, heads=32,
        attention=[(2048, 4096), (2048, 512), (2048, 512), (4096, 2048)],
        kept=4096 + 512 + 512 + 4096,
        experts=128, k=8, ffn=768, shared=0, plain=0, matrices=3,
        words=151936, tied=False),
    "deepseek-v3": dict(
        hidden=7168, layers=61, dense=3, heads=128,
        attention=[(7168, 1536), (1536, 128 * 192), (7168, 512 + 64),
                   (512, 128 * 256), (128 * 128, 7168)],
        kept=128 * 192 + 128 * 256 + 128 * 128,
        experts=256, k=8, ffn=2048, shared=2048, plain=18432, matrices=3,
        words=129280, tied=False),
    "mixtral-8x22b": dict(
        hidden=6144, layers=56, dense=0, heads=48,
        attention=[(6144, 6144), (6144, 1024), (6144, 1024), (6144, 6144)],
        kept=6144 + 1024 + 1024 + 6144,
        experts=8, k=2, ffn=16384, shared=0, plain=0, matrices=3,
        words=32000, tied=False),
    "gpt2-xl-moe": dict(
        hidden=1600, layers=48, dense=0, heads=25,
        attention=[(1600, 1600)] * 4, kept=4 * 1600,
        experts=8, k=2, ffn=6400, shared=0, plain=0, matrices=2,
        words=50257, tied=True),
}

name, recompute, answer, zero = sys.argv[1:5]
gradient = int(sys.argv[5]) if len(sys.argv) > 5 else 2
m = MODELS[name]
h, layers, moe_layers = m["hidden"], m["layers"], m["layers"] - m["dense"]
tp = TP if m["heads"] % TP == 0 else 1

# Parameters of a rank. Norms and biases are counted here, too.
one = sum(a * b for a, b in m["attention"]) / tp + 2 * h
other = one * layers
other += moe_layers * (h * m["experts"] + m["matrices"] * h * m["shared"] / tp)
other += m["dense"] * m["matrices"] * h * m["plain"] / tp
other += (1 if m["tied"] else 2) * m["words"] * h / tp + h
experts = (moe_layers * m["experts"] / EP * m["matrices"] * h * m["ffn"] / tp)
states = (other * (2 + gradient + 12 / (DP * EP))
          + experts * (2 + gradient + 12 / DP))
gathered = unsummed = 0
if zero == "3":
    all_bytes = 2 + gradient + 12
    states = (other * all_bytes / (DP * EP)) + experts * all_bytes / DP
    # The layer at work, whole, and the one beside it, which is gathered
    # meanwhile: two MoE layers, or one beside the words, as large as these are.
    layer = (one + h * m["experts"] + m["matrices"] * h * m["shared"] / tp
             + experts / moe_layers)
    words = m["words"] * h / tp
    gathered = 2 * (layer + max(layer, words))
    unsummed = 2 * max(layer, words)

# Activations that a rank keeps, in bytes a token of its group. With sequence
# parallelism what is as wide as the hidden size is on one rank of tp.
norm = (2 * h + 2 * h) / tp                     # what it reads and gives
attention = norm + (2 * m["kept"] + 4 * m["heads"]) / tp
if name == "deepseek-v3":                        # latents, and their norms
    attention += 2 * 2 * (1536 + 512 + 64) / tp
between = 3 if m["matrices"] == 3 else 2         # up, gate, product; or two
moe = norm + 2 * 4 * m["experts"] / tp           # logits and scores
moe += m["k"] * (2 * h + 2 * between * m["ffn"] + 2 * h) / tp
moe += 2 * between * m["shared"] / tp
plain = norm + 2 * between * m["plain"] / tp
if recompute == "full":
    activations = layers * 2 * h / tp + attention + max(
        moe, plain if m["dense"] else 0)
else:
    activations = layers * attention + moe_layers * moe + m["dense"] * plain
activations += (2 + 4) * m["words"] / tp         # logits and their softmax
expected = states + gathered + unsummed + TOKENS * activations

with open(answer) as file:
    rank = json.load(file)["per_rank"]
got = rank["as_configured"]["total_bytes"]
ratio = got / expected
for what, bytes in (("gathered_weights", gathered),
                    ("unsummed_gradients", unsummed)):
    says = rank.get(what + "_bytes", 0)
    if abs(says - bytes) > 0.01 * bytes:
        sys.exit(f"{name}: {what} {says}, by hand {bytes}")
if abs(rank["states_bytes"] / states - 1) > 0.05:
    sys.exit(f"{name}: states {rank['states_bytes']}, by hand {states}")
if abs(ratio - 1) > 0.1:
    sys.exit(f"{name}, recompute {recompute}: {got / 1e9:.2f} GB, by hand "
             f"{expected / 1e9:.2f} GB")
print(f"{name} {recompute}: {got / 1e9:.1f} GB, by hand {expected / 1e9:.1f}")
