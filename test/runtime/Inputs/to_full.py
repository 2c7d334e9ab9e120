"""Runs a command whose standard output is a full device, for 20 s at most, and
checks its exit code: to_full.py CODE COMMAND..."""

import subprocess
import sys

with open("/dev/full", "w") as full:
    result = subprocess.run(sys.argv[2:], stdout=full, timeout=20)
if result.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, got {result.returncode}")
