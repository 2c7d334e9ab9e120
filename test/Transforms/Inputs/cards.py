#!/usr/bin/env python3
"""Prints a platform whose servers have other network cards on EPS, or ranks.

  cards.py PLATFORM CARDS RANKS
"""
import json
import sys

path, cards, ranks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path) as file:
    platform = json.load(file)
inside, outside = platform["levels"]
inside["ranks"] = ranks
outside["ranks"] = 128 * ranks
# A rank with several cards has their bandwidth.
outside["ranks_per_nic"] = max(1, ranks // cards)
outside["bandwidth_GBps"] *= max(1, cards // ranks)
platform["circuits"].update(server_ranks=ranks, eps_nics=cards)
json.dump(platform, sys.stdout)
