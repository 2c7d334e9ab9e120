"""Checks what `moe-plan degree --json` answers with, by a simulator of its own:
the times of all degrees, the choice, the order, unequal chunks.

usage: check-degree.py ANSWER MOST_DEGREE GRADIENT_US
"""

import json
import sys

KINDS = {
    "D": ("dispatch_us", None),
    "A": ("all_gather_us", "D"),
    "E": ("experts_us", "A"),
    "R": ("reduce_scatter_us", "E"),
    "C": ("combine_us", "R"),
}


def simulate(chunks, gradient_us, inter, intra):
    """When all has ended; streams run their operations in order."""
    streams = [list(inter), list(intra), ["E"] * len(chunks)]
    ends = {kind: [] for kind in KINDS}
    free = [0.0, 0.0, 0.0]
    while any(streams):
        progress = False
        for s, stream in enumerate(streams):
            while stream:
                kind = stream[0]
                if kind == "G":
                    free[s] += gradient_us
                else:
                    key, before = KINDS[kind]
                    at = len(ends[kind])
                    if before and len(ends[before]) <= at:
                        break
                    start = max(free[s], ends[before][at] if before else 0.0)
                    free[s] = start + chunks[at][key]
                    ends[kind].append(free[s])
                stream.pop(0)
                progress = True
        if not progress:
            sys.exit(f"the order {inter} {intra} cannot run")
    if any(len(times) != len(chunks) for times in ends.values()):
        sys.exit(f"{inter} {intra} is no order of {len(chunks)} chunks")
    return max(free)


def expect(what, got, expected):
    if abs(got - expected) > 1e-9 * max(1, abs(expected)):
        sys.exit(f"{what}: expected {expected}, got {got}")


with open(sys.argv[1]) as file:
    answer = json.load(file)
most, gradient_us = int(sys.argv[2]), float(sys.argv[3])
by_degree = answer["by_degree"]
expect("degrees", len(by_degree), most)
g = "G" if gradient_us > 0 else ""
for r, entry in enumerate(by_degree, 1):
    expect("degree", entry["degree"], r)
    us = simulate([entry["chunk"]] * r, gradient_us, "D" * r + g + "C" * r,
                  "A" * r + "R" * r)
    expect(f"time of degree {r}", entry["time_us"], us)
    if entry["lower_bound_us"] > us * (1 + 1e-9):
        sys.exit(f"degree {r}: a bound above a time")
    if entry["case"] not in (1, 2, 3, 4):
        sys.exit(f"degree {r}: case {entry['case']}")
least = min(entry["time_us"] for entry in by_degree)
expect("time_us", answer["time_us"], least)
expect("the chosen degree's time", by_degree[answer["degree"] - 1]["time_us"],
       least)
order = answer["order"]
r = order["degree"]
if order["inter"].count("G") != len(g):
    sys.exit(f"gradients in {order['inter']}")
expect("best_order_us", answer["best_order_us"],
       simulate([by_degree[r - 1]["chunk"]] * r, gradient_us, order["inter"],
                order["intra"]))
if answer["best_order_us"] > answer["time_us"] * (1 + 1e-9):
    sys.exit("the best order is worse than the fixed one")
if answer["lower_bound_us"] > answer["best_order_us"] * (1 + 1e-9):
    sys.exit("a bound above the best order")
expect("gap", answer["gap"],
       answer["best_order_us"] / answer["lower_bound_us"] - 1)
if "closed_form" in answer:
    best = min(by_degree, key=lambda entry: entry["closed_form_us"])
    expect("closed form", answer["closed_form"]["closed_form_us"],
           best["closed_form_us"])
if "unequal_chunks" in answer:
    unequal = answer["unequal_chunks"]
    parts = unequal["parts"]
    expect("parts", sum(parts), 64)
    if "closed_form" in answer:
        # Times are linear, so they follow from those of one and two chunks.
        whole, half = by_degree[0]["chunk"], by_degree[1]["chunk"]
        chunks = [{key: half[key] + (whole[key] - half[key]) * (n / 32 - 1)
                   for key in whole} for n in parts]
        expect("unequal chunks", unequal["time_us"],
               simulate(chunks, gradient_us, unequal["inter"],
                        unequal["intra"]))
    if unequal["time_us"] >= answer["best_order_us"]:
        sys.exit("unequal chunks that do not pay")
