"""Runs programs with branches on host and on interp, with seeds until every
branch was taken.

Usage: branches.py IN SCHEDULED ON-STREAMS
"""

import re
import subprocess
import sys

MOST_SEEDS = 100


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    # All but the line that names the backend.
    return done.stdout.split("\n", 1)[1]


def main(source, *later):
    ways = set()
    for seed in range(MOST_SEEDS):
        expected = run("moe-run", source, f"--seed={seed}", "--print-values")
        # The last two results are numbers that identify the branches taken.
        way = tuple(re.findall(r"^ +(-?[0-9]+)$", expected, re.M)[-2:])
        if way in ways:
            continue
        ways.add(way)
        for program in (source, *later):
            got = run("moe-run", program, "--backend=host", f"--seed={seed}",
                      "--print-values")
            if got != expected:
                sys.exit(f"{program}, seed {seed}: expected\n{expected}"
                         f"got\n{got}")
        if len(ways) == 8:
            break
    print(f"{1 + len(later)} programs on host, as on interp: every one of "
          f"{len(ways)} ways")


if __name__ == "__main__":
    main(*sys.argv[1:])
