#!/usr/bin/env python3
"""Checks that tests are readable: prefixes and proofs.

usage: tests.py FOLDER

A RUN line has four prefixes at most and a test file twenty; a test below a
folder `proofs` shows IR, and checks the output of a command.
"""

import pathlib
import re
import sys

PER_LINE, PER_FILE = 4, 20


def run_lines(text):
    """The RUN lines of a test, continuations joined."""
    line = ""
    for part in re.findall(r"RUN:\s?(.*)", text):
        line += part.removesuffix("\\")
        if not part.endswith("\\"):
            yield line
            line = ""


def prefixes(line):
    found = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", line)
    return [prefix for names in found for prefix in names.split(",")]


def faults(path):
    text = path.read_text()
    everywhere = set()
    for line in run_lines(text):
        names = prefixes(line)
        everywhere.update(names)
        if len(names) > PER_LINE:
            yield f"expected at most {PER_LINE} prefixes a RUN line, got {names}"
    if len(everywhere) > PER_FILE:
        yield f"expected at most {PER_FILE} prefixes, got {len(everywhere)}"
    if "proofs" in path.parts:
        if not re.search(r"\bmoe\.\w+", text):
            yield "expected a proof to show its IR, got none"
        if not re.search(r"^(?:// |# )?[A-Z]+: ?\S", re.sub(
                r"^.*(?:RUN|DEFINE): .*$", "", text, flags=re.M), re.M):
            yield "expected a proof to check what is printed, got no check"


def main():
    root = pathlib.Path(sys.argv[1])
    count, wrong = 0, []
    for path in sorted(root.rglob("*")):
        if path.suffix in (".mlir", ".test") and "Inputs" not in path.parts:
            count += 1
            wrong += [f"{path.relative_to(root)}: {fault}"
                      for fault in faults(path)]
    print(f"{count} tests, {len(wrong)} faults")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
