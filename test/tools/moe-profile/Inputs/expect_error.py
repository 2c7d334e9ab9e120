"""Runs a command that must fail with an exit code and an error on stderr, and
print nothing on stdout: CODE COMMAND... Prints the error."""

import subprocess
import sys

run = subprocess.run(sys.argv[2:], capture_output=True, text=True)
if run.returncode != int(sys.argv[1]) or run.stdout or not run.stderr:
    sys.exit(f"expected exit code {sys.argv[1]} with a message on stderr alone, "
             f"got {run.returncode}, '{run.stdout}', '{run.stderr}'")
print(run.stderr, end="")
