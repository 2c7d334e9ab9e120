"""Counts the exchanges of a DualPipe by hand on Inputs/measured.json, and compares.

usage: step_pairs.py DUALPIPE.json NONE.json

2 stages, 8 micro-batches, one layer for each piece. A stage runs 8 forward and 8
backward passes. With one stage in each half of the pipeline, its first two and last
four passes and the first pair of the steady state run alone: 5 pairs are left.
"""

import json
import math
import sys

PASSES, PAIRS = 8, 5
# Products are slower by this part of a transfer, if they have two waves of tiles.
COST = 0.25


def main():
    dualpipe, none = (json.load(open(file)) for file in sys.argv[1:])
    times = {}
    for part in dualpipe["layer"]["parts"]:
        times[part["kind"]] = (times.get(part["kind"], 0) + part["forward_us"] +
                               part["backward_us"])
    exchange = times["expert exchanges"]
    hidden = min(exchange, times["products"] / (1 + COST))
    # Without pairs, the last stage runs all passes of the output layer; with them, half.
    output = none["spent_us"]["products"] / PASSES - times["products"]
    products = PASSES * (times["products"] + output / 2)
    for kind, expected in (("expert exchanges", PASSES * exchange - PAIRS * hidden),
                           ("products", products + PAIRS * COST * hidden)):
        got = dualpipe["spent_us"][kind]
        if not math.isclose(got, expected, rel_tol=1e-9):
            sys.exit(f"{kind}: expected {expected}, got {got}")
    if not math.isclose(sum(dualpipe["spent_us"].values()), dualpipe["step_us"],
                        rel_tol=1e-9):
        sys.exit("expected parts that make up the step")
    # Each stage holds the weights of both.
    if dualpipe["memory_bytes"] <= none["memory_bytes"]:
        sys.exit("expected more memory than of 1f1b")
    print("as by hand")


if __name__ == "__main__":
    main()
