#!/usr/bin/env python3
"""Compares results of the interpreter and of compiled code.

  host.py PROGRAM [MOE-RUN-OPTIONS]

Runs the program on both and compares everything they print except for the line
that names them: the types, which ranks hold the same, and every element.
"""
import difflib
import subprocess
import sys


def run(backend):
    command = ["moe-run", sys.argv[1], "--print-values", "--backend=" + backend]
    done = subprocess.run(command + sys.argv[2:], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    head, _, rest = done.stdout.partition("\n")
    if not head.startswith(backend + ": "):
        sys.exit(f"{' '.join(command)}: expected '{backend}: ', got '{head}'")
    return rest.splitlines()


expected, got = run("interp"), run("host")
if not expected:
    sys.exit("nothing was compared")
difference = list(difflib.unified_diff(expected, got, "interp", "host",
                                       lineterm="", n=0))
print("\n".join(line[:200] for line in difference[:20]))
sys.exit(1 if difference else 0)
