#!/usr/bin/env python3
"""Writes a trace of choices: 4 ranks of 16 tokens that choose 4 of 8 experts,
all of them on one of two nodes ("together") or two on each ("apart"). Each
expert is chosen equally often."""

import json
import sys

print(json.dumps({"experts": 8, "ranks": 4, "top_k": 4}))
for layer in "01":
    for rank in range(4):
        if sys.argv[1] == "together":
            rows = [[0, 1, 2, 3], [4, 5, 6, 7]] * 8
        else:
            rows = [[0, 1, 4, 5], [2, 3, 6, 7]] * 8
        print(json.dumps({"step": 0, "layer": layer, "rank": rank,
                          "indices": rows}))
