#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws bursts.json: 8 expert-parallel ranks on two nodes, 8 experts, top-2,
20 steps of 4096 tokens a rank. In most steps 95 % of a token's weight is on
experts of its own node, in steps 3 and 8 only 10 %.

usage: draw.py > bursts.json      needs moe-plan on PATH
"""

import json
import subprocess


def draw(steps, seed, share):
    command = ["moe-plan", "traffic", "--generate=communities", "--ranks=8",
               "--experts=8", "--tokens=4096", "--top-k=2", f"--steps={steps}",
               f"--seed={seed}", f"--share={share}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["steps"]


steps = draw(20, 1, 0.95)
for place, burst in zip((3, 8), draw(2, 2, 0.1)):
    steps[place]["layers"] = burst["layers"]
lines = ",\n".join(json.dumps(step) for step in steps)
print(f'{{"top_k": 2, "tokens": 4096, "steps": [\n{lines}\n]}}')
