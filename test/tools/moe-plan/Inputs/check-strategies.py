"""Checks the strategies `moe-plan all-to-all --json` answers with: that each
time is the flow-shop form of its stages (SPEC MO-6) and the choice the least.

usage: check-strategies.py ANSWER MOST_CHUNKS
"""

import json
import sys

with open(sys.argv[1]) as file:
    answer = json.load(file)
strategies = answer["strategies"]
for name, strategy in strategies.items():
    stages = list(strategy["stages"].values())
    if name == "o2":
        stages[1:] = [stages[1] + stages[2]]
    chunks = strategy["chunks"]
    expected = sum(stages) + (chunks - 1) * max(stages)
    if abs(strategy["time_us"] - expected) > 1e-6 * expected:
        sys.exit(f"{name}: expected {expected} us of its stages, got "
                 f"{strategy['time_us']}")
    if name in ("o2", "o3") and chunks != int(sys.argv[2]):
        sys.exit(f"{name}: expected {sys.argv[2]} chunks, got {chunks}")
    ratio = strategy["time_us"] / strategies["baseline"]["time_us"]
    if abs(strategy["over_baseline"] - ratio) > 1e-9:
        sys.exit(f"{name}: expected over_baseline {ratio}")
best = min(strategies, key=lambda name: strategies[name]["time_us"])
if answer["chosen"] != best:
    sys.exit(f"expected {best} to be chosen, got {answer['chosen']}")
if answer["time_us"] != strategies[best]["time_us"]:
    sys.exit("expected time_us of the chosen strategy")
others = [name for name in strategies if name != best]
second = min(others, key=lambda name: strategies[name]["time_us"])
if answer["runner_up"] != second:
    sys.exit(f"expected {second} as the runner-up, got {answer['runner_up']}")
gap = strategies[second]["time_us"] - strategies[best]["time_us"]
if abs(answer["gap_us"] - gap) > 1e-9 * gap:
    sys.exit(f"expected a gap of {gap} us, got {answer['gap_us']}")
