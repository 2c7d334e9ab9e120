#!/usr/bin/env python3
"""Prints a platform whose servers have another number of NICs or ranks.

  cards.py PLATFORM EPS RANKS [OPTICAL]
"""
import json
import sys

path, *numbers = sys.argv[1:]
eps, ranks, optical = map(int, (numbers + ["6"])[:3])
with open(path) as file:
    platform = json.load(file)
inside, outside = platform["levels"]
inside["ranks"] = ranks
outside["ranks"] = 128 * ranks
# A rank with several NICs has their total bandwidth.
outside["ranks_per_nic"] = max(1, ranks // max(1, eps))
outside["bandwidth_GBps"] *= max(1, eps // ranks)
if ranks == 1:
    platform["levels"] = [outside]
platform["circuits"].update(server_ranks=ranks, eps_nics=eps,
                            optical_degree=optical)
json.dump(platform, sys.stdout)
