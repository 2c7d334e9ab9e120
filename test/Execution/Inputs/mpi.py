#!/usr/bin/env python3
"""Compares the output of a program on threads and on processes.

  mpi.py RANKS PROGRAM [MOE-RUN-OPTIONS]

Runs the program on the backends host and mpi and compares all of standard
output except for the backend's name, and the exit codes. Only rank 0 may print.
"""
import difflib
import subprocess
import sys

ranks = sys.argv[1]


def run(backend, launcher):
    command = launcher + ["moe-run", "--backend=" + backend] + sys.argv[2:]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if lines and lines[0].startswith(backend + ": "):
        lines[0] = lines[0][len(backend):]
    return [f"exit {done.returncode}"] + lines, done.stderr


expected, _ = run("host", [])
got, messages = run("mpi", ["mpirun", "--allow-run-as-root", "--oversubscribe",
                            "--quiet", "--mca", "mpi_yield_when_idle", "1",
                            "-np", ranks])
if len(expected) < 2:
    sys.exit("nothing was compared")
difference = list(difflib.unified_diff(expected, got, "host", "mpi",
                                       lineterm="", n=0))
print("\n".join(line[:200] for line in difference[:20]))
if difference:
    sys.exit(messages)
