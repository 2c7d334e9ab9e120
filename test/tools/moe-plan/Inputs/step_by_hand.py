"""Counts a step of mixtral-8x7b by hand on Inputs/measured.json, and compares.

usage: step_by_hand.py ANSWER.json

8 ranks, ep 8, 2 micro-batches with 1024 tokens per rank, 2 layers,
dispatcher "all-to-all", --parallelism=megatron.
"""

import json
import math
import sys

TOKENS, HIDDEN, FFN, TOP_K, VOCABULARY = 1024, 4096, 14336, 2, 32000
QUERY, KEY = 4096, 1024


def product(m, n, k, start=1, tflops=100, rows=64, columns=128, count=1):
    tiles = count * math.ceil(m / rows) * math.ceil(n / columns)
    return start + max(tiles, 10) * rows * columns * 2 * k / (tflops * 1e6)


def memory(data, kernels=1):
    return 3 * kernels + data / 1e6


def near(what, got, expected):
    if not math.isclose(got, expected, rel_tol=1e-9):
        sys.exit(f"{what}: expected {expected}, got {got}")


def main():
    answer = json.load(open(sys.argv[1]))
    parts = {}
    for part in answer["layer"]["parts"]:
        sums = parts.setdefault((part["name"], part["kind"]), [0, 0])
        sums[0] += part["forward_us"]
        sums[1] += part["backward_us"]

    # A rank has one expert, so its products are plain ones.
    rows = TOKENS * TOP_K
    forward = product(rows, 2 * FFN, HIDDEN) + product(rows, HIDDEN, FFN)
    backward = (product(rows, HIDDEN, 2 * FFN) + product(HIDDEN, 2 * FFN, rows)
                + product(rows, FFN, HIDDEN) + product(FFN, HIDDEN, rows))
    # Gradients of 4 bytes are read and written.
    backward += 8 * 3 * FFN * HIDDEN / 1e6
    near("experts", parts["experts", "products"][0], forward)
    near("experts' gradients", parts["experts", "products"][1], backward)

    # 16 MiB per rank; 4 of 8 ranks are on the other node.
    data = rows * HIDDEN * 2
    once = 20 + max(data * 3 / 8 / 100e3, data / 2 / 10e3)
    near("exchange", parts["dispatch and combine", "expert exchanges"][0], 2 * once)
    near("permutation", parts["permutation", "memory-bound kernels"][0],
         memory(4 * data, 2))
    near("activation", parts["experts' activation", "memory-bound kernels"][0],
         memory(2 * 3 * rows * FFN))

    qkv = QUERY + 2 * KEY
    near("projections", parts["projections", "products"][0],
         product(TOKENS, qkv, HIDDEN) + product(TOKENS, HIDDEN, QUERY))
    # Half of all pairs of 32 heads of 128.
    pairs = TOKENS * TOKENS / 2 * 32
    near("attention", parts["attention", "products"][0], pairs * 4 * 128 / 40e6)
    near("attention's gradients", parts["attention", "products"][1],
         pairs * 10 * 128 / 20e6)
    near("norms", parts["norms", "memory-bound kernels"][0],
         2 * memory(4 * TOKENS * HIDDEN))

    # Layers in a row, two micro-batches, and what comes once.
    layer = answer["layer"]
    logits = TOKENS * VOCABULARY
    output = (product(TOKENS, VOCABULARY, HIDDEN)
              + product(TOKENS, HIDDEN, VOCABULARY)
              + product(HIDDEN, VOCABULARY, TOKENS)
              + memory(18 * logits, 4) + memory(10 * logits, 2))
    passes = 2 * (2 * (layer["forward_us"] + layer["backward_us"] + 300) + output)
    spent = answer["spent_us"]
    once = spent["optimizer"] + spent["gradients and weights of copies"]
    near("step", answer["step_us"], passes + once)
    # Adam: 4 words read, 3 and a half written, and twice the norm's word; the
    # experts are on one rank each, all else is shared by 8.
    experts = 2 * 3 * FFN * HIDDEN
    others = 2 * (HIDDEN * qkv + QUERY * HIDDEN + HIDDEN * 8) + 2 * HIDDEN * VOCABULARY
    near("optimizer", spent["optimizer"],
         1000 + memory(42 * (experts + others / 8), 4))
    print("as by hand")


if __name__ == "__main__":
    main()
