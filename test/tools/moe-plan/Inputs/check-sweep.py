"""Compiles random layouts of a job alone, and checks that moe-sim says of none
of them that it is faster than the best of a sweep, and of those that the sweep
lists what the sweep says.

usage: check-sweep.py SWEEP CONFIG PLATFORM LAYOUTS SEED MOE-OPTION...
"""

import json
import random
import subprocess
import sys

sweep, config, platform, number, seed = sys.argv[1:6]
options = sys.argv[6:]
with open(sweep) as file:
    answer = json.load(file)
ranks = answer["ranks"]
best = answer["layouts"][0]["tokens_per_s"]
listed = {(l["dp"], l["pp"], l["cp"], l["ep"], l["tp"], l["fold_ep"]): l
          for l in answer["layouts"]}


def run(layout):
    """Tokens a second of a layout, None where it cannot be."""
    dp, pp, cp, ep, tp, fold = layout
    words = ["--import-hf-config", config, "--phase", "train"] + options
    for name, degree in zip(("dp", "pp", "cp", "ep", "tp"), layout):
        words += [f"--{name}", str(degree)]
    if fold:
        words.append("--fold-ep")
    if tp > 1:
        words.append("--sequence-parallel")
    text = subprocess.run(["moe-translate"] + words, capture_output=True,
                          text=True)
    if text.returncode != 0:
        return None
    compiled = subprocess.run(
        ["moe-opt", "-", f"--moe-compile=to=schedule platform={platform}"],
        input=text.stdout, capture_output=True, text=True, check=True)
    said = subprocess.run(["moe-sim", "-", "--json"], input=compiled.stdout,
                          capture_output=True, text=True, check=True)
    return json.loads(said.stdout)["tokens_per_s"]


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


layouts = [(ranks // (axis * tp), 1, 1, axis * (tp if fold else 1), tp, fold)
           for tp in divisors(ranks) if tp <= 8
           for axis in divisors(ranks // tp)
           for fold in ((False, True) if tp > 1 else (False,))]
random.Random(int(seed)).shuffle(layouts)
tried = 0
for layout in layouts:
    speed = run(layout)
    if speed is None:
        if layout in listed:
            sys.exit(f"{layout}: is listed and cannot be imported")
        continue
    tried += 1
    if speed > best * 1.000001:
        sys.exit(f"{layout}: {speed} tokens/s, and the best of the sweep {best}")
    if layout in listed:
        says = listed[layout]["tokens_per_s"]
        if abs(says / speed - 1) > 0.01:
            sys.exit(f"{layout}: {speed} tokens/s alone, {says} in the sweep")
    if tried == int(number):
        break
print(f"{tried} layouts, none faster")
