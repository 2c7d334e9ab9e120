"""Checks that load on one rank slows each dispatcher's exchanges.

usage: uneven_dispatch.py OPTION...   options of moe-plan step but for the dispatcher
"""

import json
import subprocess
import sys


def ask(*options):
    done = subprocess.run(["moe-plan", "step", *sys.argv[1:], *options, "--json"],
                          capture_output=True, text=True, check=True)
    parts = json.loads(done.stdout)["layer"]["parts"]
    return next(part["forward_us"] for part in parts
                if part["name"] == "dispatch and combine")


# A rank for each expert: the busiest rank has three times an even share.
even, uneven = ["--ep=128"], ["--ep=128", "--imbalance=3"]
for dispatcher in ["all-to-all", "deepep"]:
    name = f"--dispatcher={dispatcher}"
    ratio = ask(name, *uneven) / ask(name, *even)
    assert 2.5 < ratio <= 3.01, (dispatcher, ratio)
