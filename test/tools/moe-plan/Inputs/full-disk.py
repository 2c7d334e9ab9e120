"""Runs a command with a standard output that takes nothing, and prints its
exit code."""

import subprocess
import sys

with open("/dev/full", "w") as full:
    code = subprocess.run(sys.argv[1:], stdout=full).returncode
print(f"exit code {code}")
