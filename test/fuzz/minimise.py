#!/usr/bin/env python3
"""Reduces an input on which the fuzzer crashes, line by line.

usage: minimise.py FUZZER INPUT OUTPUT

An attempt counts if the fuzzer fails on it, too, for any reason. Stops after a
minute with the smallest input so far.
"""

import pathlib
import subprocess
import sys
import time

LIMIT_S = 60


def main():
    fuzzer, source, target = sys.argv[1:]
    end = time.monotonic() + LIMIT_S
    attempt = pathlib.Path(target + ".attempt")

    def fails(lines):
        attempt.write_bytes(b"".join(lines))
        try:
            done = subprocess.run(
                [fuzzer, "-timeout=20", "-rss_limit_mb=4096",
                 "-exact_artifact_path=/dev/null", str(attempt)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                timeout=30)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    lines = pathlib.Path(source).read_bytes().splitlines(keepends=True)
    size = max(1, len(lines) // 2)
    while time.monotonic() < end:
        shrunk = False
        at = 0
        while at < len(lines) and time.monotonic() < end:
            rest = lines[:at] + lines[at + size:]
            if fails(rest):
                lines, shrunk = rest, True
            else:
                at += size
        if size == 1 and not shrunk:
            break
        size = max(1, size // 2)
    attempt.unlink(missing_ok=True)
    pathlib.Path(target).write_bytes(b"".join(lines))


if __name__ == "__main__":
    main()
