"""Runs a command that must end with exit code 2 and an empty standard output,
and passes its standard error on."""

import subprocess
import sys

result = subprocess.run(sys.argv[1:], capture_output=True, text=True)
if result.returncode != 2:
    sys.exit(f"expected exit code 2, got {result.returncode}\n"
             + result.stdout + result.stderr)
if result.stdout:
    sys.exit(f"expected nothing on standard output, got\n{result.stdout}")
print(result.stderr, end="")
