#!/usr/bin/env python3
"""Collects the fuzzer's corpus: every module of every .mlir file of a tree.

usage: collect.py TREE CORPUS
"""

import hashlib
import pathlib
import re
import sys


def programs(text):
    """The module of a test, and each of its functions with the text before the
    first function: one invalid function would hide the errors of the others."""
    yield text
    head, *functions = re.split(r"^(?=func\.func )", text, flags=re.M)
    if len(functions) > 1:
        for function in functions:
            yield head + function


def main():
    tree, corpus = map(pathlib.Path, sys.argv[1:])
    count = 0
    for path in sorted(tree.rglob("*.mlir")):
        if "Output" in path.parts:
            continue
        for part in re.split(r"^// -----.*$", path.read_text(), flags=re.M):
            # Comments for FileCheck and lit only make inputs longer.
            part = re.sub(r"^\s*//.*\n", "", part, flags=re.M).strip() + "\n"
            for program in programs(part):
                if program.isspace() or len(program) > 16000:
                    continue
                name = hashlib.sha1(program.encode()).hexdigest()
                (corpus / name).write_text(program)
                count += 1
    if count == 0:
        sys.exit(f"collect.py: expected .mlir files below {tree}, found none")
    print(f"fuzz: {count} modules from {tree}")


if __name__ == "__main__":
    main()
