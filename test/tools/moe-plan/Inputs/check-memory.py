"""Checks the answer of `moe-plan memory` against Table 3 (SPEC MO-11).

usage: check-memory.py ANSWER PARAMETERS BYTES BYTES

The parameters of the model, and the bytes a rank holds for each parameter
outside of experts and in them, as arithmetic expressions. Of several stages, which
hold the same layers, the first has the embedding and the last the output layer,
each half of them.
"""

import fractions
import json
import math
import re
import sys


def evaluate(text):
    value = fractions.Fraction(0)
    for sign, term in re.findall(r"([+-]?)([\d/]+)", text):
        value += fractions.Fraction(term) * (-1 if sign == "-" else 1)
    return value


with open(sys.argv[1]) as file:
    answer = json.load(file)
total, non_moe_bytes, moe_bytes = map(evaluate, sys.argv[2:])
parameters, degrees = answer["parameters"], answer["parallelism"]
rank = answer["per_rank"]


def expect(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: expected {expected}, got {got}")


expect("parameters", parameters["non_moe"] + parameters["moe"], total)
stages = degrees["pp"]
words = parameters["embeddings"] if stages > 1 else 0
of_stage = (fractions.Fraction(parameters["non_moe"] - words, stages)
            + fractions.Fraction(words, 2))
expect("non_moe_bytes", rank["non_moe_bytes"],
       math.ceil(of_stage * non_moe_bytes / degrees["tp"]))
shards = stages * degrees["tp"]
expect("moe_bytes", rank["moe_bytes"],
       math.ceil(parameters["moe"] * moe_bytes / (shards * degrees["ep"])))
