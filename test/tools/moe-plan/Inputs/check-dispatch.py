"""Checks what `moe-plan dispatch --json` says against its own matrices.

usage: check-dispatch.py ANSWER.json TOKENS TOP_K EXPERTS [SHARE...]

Sums of rows and columns of `target` and `tokens`, times that do not exceed the
even ones, and the shares of device 0's first row where they are given.
"""

import json
import sys


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def main():
    answer = json.load(open(sys.argv[1]))
    tokens, top_k, experts = map(int, sys.argv[2:5])
    shares = list(map(float, sys.argv[5:]))
    target, whole = answer["target"], answer["tokens"]
    devices, rows = len(target), tokens * top_k
    columns = rows * devices / experts
    assert all(len(row) == experts for row in target + whole)
    for matrix, slack in ((target, 1e-9), (whole, 0)):
        for row in matrix:
            assert close(sum(row), rows, slack), (sum(row), rows)
    for sums in ([sum(row[e] for row in target) for e in range(experts)],):
        assert all(close(s, columns, 1e-9) for s in sums), sums
    sums = [sum(row[e] for row in whole) for e in range(experts)]
    assert all(abs(s - columns) < 1 for s in sums), (sums, columns)
    assert answer["target_us"] <= answer["even_us"] * (1 + 1e-12)
    assert answer["tokens_us"] <= answer["even_tokens_us"] * (1 + 1e-12)
    assert answer["optimal_us"] <= answer["target_us"] * (1 + 1e-9)
    per_device = experts // devices
    for device, share in enumerate(shares):
        own = sum(target[0][device * per_device:(device + 1) * per_device])
        assert close(own / rows, share, 5e-3), (device, own / rows, share)
    print("consistent:", devices, "devices,", experts, "experts")


main()
