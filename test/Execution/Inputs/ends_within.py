"""Runs a command that must end with exit code 2 within some seconds:
ends_within.py SECONDS COMMAND..."""

import subprocess
import sys

try:
    result = subprocess.run(sys.argv[2:], timeout=float(sys.argv[1]))
except subprocess.TimeoutExpired:
    sys.exit(f"expected an end within {sys.argv[1]} s")
if result.returncode != 2:
    sys.exit(f"expected exit code 2, got {result.returncode}")
