"""Checks the activations `moe-plan memory` answers with against eq. (2) of
MoNTA and its parallel forms (SPEC MO-11).

usage: check-activations.py ANSWER b=.. s=.. h=.. l=.. k=.. a=.. t=..
"""

import json
import math
import sys

with open(sys.argv[1]) as file:
    rank = json.load(file)["per_rank"]
b, s, h, l, k, a, t = (int(argument.split("=")[1])
                       for argument in sys.argv[2:])
unit = b * s * h * l
scores = 5 * a * s / h
expected = {
    "unsharded": unit * (13 + 21 * k + scores),
    "tensor_parallel": unit * (5 + 5 * k + (8 + 16 * k) / t + scores / t),
    "sequence_parallel": unit * ((13 + 21 * k) / t + scores / t),
    "selective_recompute": unit * (13 + 21 * k) / t,
    "full_recompute": 2 * unit / t,
}
for form, size in expected.items():
    got = rank[form]
    if got["activation_bytes"] != math.ceil(size):
        sys.exit(f"{form}: expected {math.ceil(size)} bytes, got "
                 f"{got['activation_bytes']}")
    parts = (got["attention_bytes"] + got["scores_bytes"]
             + got["experts_bytes"])
    if abs(parts - size) > 3:
        sys.exit(f"{form}: expected parts of {size} bytes, got {parts}")
    if got["total_bytes"] - got["activation_bytes"] != rank["states_bytes"]:
        sys.exit(f"{form}: expected total_bytes to add states_bytes")
