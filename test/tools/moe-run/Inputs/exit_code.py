"""Runs a command and checks its exit code: exit_code.py CODE COMMAND..."""

import subprocess
import sys

result = subprocess.run(sys.argv[2:])
if result.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, got {result.returncode}")
