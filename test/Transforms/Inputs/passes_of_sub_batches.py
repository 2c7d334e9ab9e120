"""Prints whether schedules run forward and backward passes of sub-batches concurrently.

usage: passes_of_sub_batches.py SCHEDULE.mlir...

A pass lasts from the first to the last ragged exchange of its layers.
"""

import re
import sys

TASK = re.compile(r'moe\.task @\w+ "ragged_all_to_all.*phase "(\w+)".*moe\.sub_batch = (\d+)')


def main():
    for number, file in enumerate(sys.argv[1:], 1):
        found = [match.groups() for match in map(TASK.search, open(file)) if match]
        places = {}
        for i, key in enumerate(found):
            places.setdefault(key, []).append(i)
        both = [(forward, backward) for (phase, part), forward in places.items() if phase == "fwd"
                for (other, another), backward in places.items()
                if other == "bwd" and part != another]
        during = any(min(backward) < max(forward) and min(forward) < max(backward)
                     for forward, backward in both)
        print(f"{number}: a forward pass during a backward one" if during
              else f"{number}: one pass after the other")


if __name__ == "__main__":
    main()
