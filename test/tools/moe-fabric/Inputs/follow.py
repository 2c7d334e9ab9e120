# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace whose second layer is a matrix times its first, over 40 steps."""
import json
import random

random.seed(1)
MOVES = [[8, 1, 1], [1, 2, 7], [3, 3, 4]]
steps = []
for step in range(40):
    first = [10 * random.randint(1, 1000) for _ in range(3)]
    second = [sum(first[j] * MOVES[j][i] for j in range(3)) // 10
              for i in range(3)]
    steps.append({"step": step, "layers": [
        {"layer": "0", "counts": first}, {"layer": "1", "counts": second}]})
print(json.dumps({"steps": steps}))
