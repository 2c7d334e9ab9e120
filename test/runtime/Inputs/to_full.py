"""Runs a command with a full device as standard output, for at most 20 s, and
checks its exit code: to_full.py CODE COMMAND..."""

import subprocess
import sys

with open("/dev/full", "w") as full:
    result = subprocess.run(sys.argv[2:], stdout=full, timeout=20)
if result.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, got {result.returncode}")
