"""Runs a command with a limit on its address space and prints its exit code:
address_space.py BYTES COMMAND..."""

import resource
import subprocess
import sys

size = int(sys.argv[1])
done = subprocess.run(
    sys.argv[2:],
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
print(f"exit code {done.returncode}", flush=True)
