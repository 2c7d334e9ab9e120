"""Checks an answer of `moe-plan gradients` on testbed A or B of SPEC FS-9: the
pieces are whole, sent after their gradient exists, take the time that is said,
and brute force on a grid of 1/64 of all gradients does not beat them.

usage: check-gradients.py A|B NETWORK ANSWER
"""

import json
import sys

# SPEC FS-9, in us: (alpha, beta).
TESTBEDS = {
    "A": dict(ranks=8, a2a=(287, 2.054e-3), ag=(337, 2.32e-4),
              rs=(395, 2.34e-4), ar=(511, 4.95e-3), gemm=(42.6, 6.534e-8)),
    "B": dict(ranks=4, a2a=(175, 1.224e-3), ag=(32, 6.72e-4),
              rs=(39.1, 6.68e-4), ar=(83.7, 2.396e-3), gemm=(92.4, 1.354e-7)),
}
testbed = TESTBEDS[sys.argv[1]]
layers = json.load(open(sys.argv[2]))["layers"]
answer = json.load(open(sys.argv[3]))


def time_of(kind, size):
    alpha, beta = testbed[kind]
    return alpha + beta * size


def all_reduce_us(elements):
    return time_of("ar", elements) if elements else 0


def fixed_order_us(moe, degree, gradient_us):
    """SPEC FS-3, by walking the three streams."""
    factor = moe["capacity_factor"]
    elements = (moe["top_k"] * (1 if factor == "none" else factor)
                * moe["micro_batch"] * moe["seq_len"] * moe["hidden"])
    gemms = 2 * moe["gemms"]
    a2a = time_of("a2a", elements / testbed["ranks"] / degree)
    gather = time_of("ag", elements / degree)
    scatter = time_of("rs", elements / degree)
    macs = elements * moe["ffn_hidden"] / testbed["ranks"] * gemms
    experts = gemms * testbed["gemm"][0] + testbed["gemm"][1] * macs / degree
    dispatched = [a2a * (i + 1) for i in range(degree)]
    intra, gathered = 0, []
    for at in dispatched:
        intra = max(intra, at) + gather
        gathered.append(intra)
    compute, done = 0, []
    for at in gathered:
        compute = max(compute, at) + experts
        done.append(compute)
    inter = dispatched[-1] + gradient_us
    for at in done:
        intra = max(intra, at) + scatter
        inter = max(inter, intra) + a2a
    return inter


def moe_us(moe, gradient_us):
    return min(fixed_order_us(moe, degree, gradient_us)
               for degree in range(1, 17))


def slots():
    """The slots of the backward pass: its name, and its time by that of its
    all-reduce."""
    for index in reversed(range(len(layers))):
        layer = layers[index]
        dense = layer["overlappable_dense_us"]
        yield (index, "dense"), lambda us, dense=dense: max(dense, us)
        if "moe" in layer:
            yield (index, "moe"), lambda us, moe=layer["moe"]: moe_us(moe, us)
    yield (-1, "after"), lambda us: us


# Whole, and in time.
unsent = [int(layer["gradient_elements"]) for layer in layers]
carried = {}
for piece in answer["pieces"]:
    layer, slot, source = piece["layer"], piece["slot"], piece["from"]
    assert isinstance(piece["elements"], int) and piece["elements"] > 0, piece
    assert layer < source or (layer == source and slot == "moe"), piece
    unsent[source] -= piece["elements"]
    carried[layer, slot] = carried.get((layer, slot), 0) + piece["elements"]
assert not any(unsent), unsent

times = {name: get(all_reduce_us(carried.get(name, 0)))
         for name, get in slots()}
time_us = sum(times.values())
assert abs(time_us - answer["time_us"]) < 1e-6 * time_us, time_us
for slot in ("dense", "moe", "after"):
    part = sum(us for name, us in times.items() if name[1] == slot)
    assert abs(part - answer[slot + "_us"]) <= 1e-6 * time_us, (slot, part)

# Brute force, slot by slot over every sum of parts.
PARTS = 64
NEVER = float("inf")
total = sum(layer["gradient_elements"] for layer in layers)
best = [0] + [NEVER] * PARTS
existing = 0
for (index, slot), get in slots():
    if slot == "moe":
        existing += layers[index]["gradient_elements"]
    slot_us = [get(all_reduce_us(n * total / PARTS)) for n in range(PARTS + 1)]
    best = [min(best[sent - n] + slot_us[n] for n in range(sent + 1)
                if n == 0 or sent * total <= existing * PARTS)
            for sent in range(PARTS + 1)]
    if slot == "dense" and "moe" not in layers[index]:
        # A layer without an MoE part; of others it counts from there on.
        existing += layers[index]["gradient_elements"]
assert time_us <= best[-1] + 1, (time_us, best[-1])
assert answer["lower_bound_us"] <= time_us
print(f"{len(answer['pieces'])} pieces, {time_us / best[-1]:.4f} of brute force")
