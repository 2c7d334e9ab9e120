#!/usr/bin/env python3
"""Random branches around collectives, as compiled code.

  random_branches.py [--count N] [--seed S] TMP

Every program is a nest of scf.if, scf.index_switch and calls from
random_control_flow.py; all ranks take some of the branches alike, and those
contain collectives. Host must give the same results as interp for all drawn
numbers, and so must every legal order of its streams. Requires moe-opt and
moe-run in PATH. A failure keeps the program in TMP.mlir and prints how to
repeat it.
"""
import argparse
import random
import sys

from random_control_flow import Program
from random_programs import run


def check(seed, path):
    program = Program(random.Random(seed), ["if", "index_switch", "call"])
    with open(path, "w") as file:
        file.write(program.text())

    def execute(*command):
        result = run(*command)
        if result.returncode != 0:
            sys.exit(f"seed {seed}: {' '.join(command)} ended with "
                     f"{result.returncode}\n{result.stderr[-4000:]}\n"
                     f"repeat with --seed {seed} --count 1")
        return result.stdout

    for draw in ("--seed=0", "--seed=1"):
        expected, got = (execute("moe-run", path, f"--backend={backend}", draw)
                         .split("\n", 1)[1] for backend in ("interp", "host"))
        if expected != got:
            sys.exit(f"seed {seed}, {draw}: expected\n{expected}got\n{got}"
                     f"repeat with --seed {seed} --count 1")
    execute("moe-opt", path, "--inline", "--symbol-dce", "--moe-schedule",
            "--convert-moe-to-moert", "--moert-verify-streams",
            "--moert-check-orders")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tmp")
    args = parser.parse_args()
    for seed in range(args.seed, args.seed + args.count):
        check(seed, args.tmp + ".mlir")
    print(f"{args.count} programs: host as interp, all orders equal")


if __name__ == "__main__":
    main()
