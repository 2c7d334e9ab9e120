#!/usr/bin/env python3
"""Random programs through random passes, executed as compiled code.

  random_on_host.py [--count N] [--seed S] TMP

Uses the programs of random_programs.py before and after their passes. The
interpreter and compiled code must agree in every element, and the program on
streams must be free of races in every order. Programs with collectives in
branches or loops are rejected, and counted. Requires moe-opt and moe-run in
PATH.
"""
import argparse
import random
import sys

import random_programs as programs

REFUSED = "cannot be put on a stream"


def execute(path, describe):
    """Returns False if the program is rejected; ends the script on an error."""
    results = [programs.run("moe-run", path, "--print-values",
                            f"--backend={backend}", *options)
               for backend, options in (("interp", ()),
                                        ("host", ("--deadline=60",)))]
    interp, host = results
    if interp.returncode != 0:
        sys.exit(f"{describe}: interp\n{interp.stderr[-2000:]}")
    if host.returncode != 0:
        if REFUSED in host.stderr:
            return False
        sys.exit(f"{describe}: host\n{host.stderr[-4000:]}")
    expected, got = (r.stdout.split("\n", 1)[1] for r in results)
    if expected != got:
        sys.exit(f"{describe}: differs\n{expected[:2000]}\n{got[:2000]}")
    checked = programs.run("moe-opt", path,
                           "--moe-compile=from=schedule to=runtime",
                           "--moert-check-orders", "-o", "/dev/null")
    if checked.returncode != 0 or "all orders equal" not in checked.stdout:
        sys.exit(f"{describe}: orders\n{checked.stderr[-4000:]}")
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tmp")
    args = parser.parse_args()
    executed = 0
    for seed in range(args.seed, args.seed + args.count):
        rng = random.Random(seed)
        program, passes = programs.Program(rng).text(), programs.pipeline(rng)
        before, after = args.tmp + ".before.mlir", args.tmp + ".after.mlir"
        with open(before, "w") as file:
            file.write(program)
        result = programs.run("moe-opt", before, f"--pass-pipeline={passes}",
                              "-o", after)
        if result.returncode != 0:
            sys.exit(f"seed {seed}: {passes}\n{result.stderr[-4000:]}")
        for path in (before, after):
            executed += execute(path, f"seed {seed}, {path}, passes {passes}; "
                                f"repeat with --seed {seed} --count 1")
    if executed < args.count // 2:
        sys.exit(f"only {executed} of {2 * args.count} programs were executed")
    print(f"{executed} of {2 * args.count} programs executed and equal")


if __name__ == "__main__":
    main()
