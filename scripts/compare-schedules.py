#!/usr/bin/env python3
"""Prints the predicted step times of one program in several schedules.

usage: compare-schedules.py NAME=FILE.json...

Each file is the output of `moe-sim --json`; speedups are over the first.
"""

import json
import sys


def main():
    if len(sys.argv) < 2 or any("=" not in word for word in sys.argv[1:]):
        sys.exit(__doc__.strip())
    rows = []
    for word in sys.argv[1:]:
        name, path = word.split("=", 1)
        with open(path) as file:
            answer = json.load(file)
        rows.append((name, answer["makespan_us"], answer["lower_bound_us"]))
    width = max(len(name) for name, _, _ in rows)
    print(f"{'schedule':<{width}}  step time ms  lower bound ms  speedup")
    for name, step, bound in rows:
        print(f"{name:<{width}}  {step / 1e3:>12.1f}  {bound / 1e3:>14.1f}  "
              f"{rows[0][1] / step:>7.2f}")


if __name__ == "__main__":
    main()
