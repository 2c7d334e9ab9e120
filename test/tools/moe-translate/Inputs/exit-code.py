"""Runs a command and prints its exit code."""
import subprocess
import sys

code = subprocess.run(sys.argv[1:], check=False).returncode
print("exit code", code, flush=True)
