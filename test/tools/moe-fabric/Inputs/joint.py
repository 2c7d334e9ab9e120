# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three domains whose tokens follow the same transitions, from different loads.
Three domains whose tokens follow the same transitions, from different loads."""
import json

MOVES = [[6, 1, 1], [0, 4, 4], [2, 2, 4]]
LOADS = [[10, 20, 70], [50, 40, 10], [30, 30, 40]]
print(json.dumps({"samples": [
    {"name": str(k), "joint_counts": [[load * share for share in row]
                                      for load, row in zip(loads, MOVES)]}
    for k, loads in enumerate(LOADS)]}))
