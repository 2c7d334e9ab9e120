"""Runs a command with the given file as standard output, or with it closed, and
optionally a limit on the size of the files that it writes; prints its exit
code."""

import argparse
import os
import resource
import signal
import subprocess

parser = argparse.ArgumentParser()
parser.add_argument("--max-file-bytes", type=int)
parser.add_argument("stdout")
parser.add_argument("command", nargs=argparse.REMAINDER)
arguments = parser.parse_args()


is_closed = arguments.stdout == "closed"


def limit():
    if is_closed:
        os.close(1)
    if arguments.max_file_bytes:
        # A write beyond the limit is an error instead of a signal.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = arguments.max_file_bytes
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


with open(os.devnull if is_closed else arguments.stdout, "w") as stdout:
    # subprocess would restore the signal's default.
    done = subprocess.run(arguments.command, stdout=stdout, preexec_fn=limit,
                          restore_signals=False)
print(f"exit code {done.returncode}", flush=True)
