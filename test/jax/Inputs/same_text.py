"""Reads dumps and writes them back: what comes out is what went in.

usage: same_text.py FOLDER

Of a program with slices at the place of a device, which are written anew, all
other lines are compared, with values numbered as they come.
"""

import collections
import pathlib
import re
import subprocess
import sys


def opt(text, *arguments):
    return subprocess.run(
        ["moe-opt", "-", "--mlir-print-op-generic", *arguments],
        input=text, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout


def ops(text):
    """How often each op stands there, without the names of its values."""
    lines = (re.sub(r"%\w+(:\d+)?", "%", line) for line in text.split("\n"))
    return collections.Counter(line.strip() for line in lines)


# What says at which place of its group a device is.
PLACE = re.compile(
    r'"stablehlo\.(partition_id|divide|remainder|convert|constant|multiply|add'
    r'|compare|select|dynamic_slice)"')

whole = rest = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.mlir")):
    text = path.read_text()
    # Collectives of global values become computations of local ones.
    if '"sdy.all_to_all"' in text:
        continue
    if opt(text) != text:
        sys.exit(f"{path}: expected to be printed as it was read")
    read = opt(text, "--convert-stablehlo-to-moe")
    back = opt(read, "--convert-moe-to-stablehlo")
    if "moe." in back:
        sys.exit(f"{path}: expected no op of moe in what is written")
    if back == text:
        whole += 1
        continue
    if '"moe.drop"' not in read:
        sys.exit(f"{path}: expected what was read to be written back")
    change = ops(text)
    change.subtract(ops(back))
    for line, count in change.items():
        if count and not PLACE.search(line):
            sys.exit(f"{path}: expected {count} more of\n{line}")
    rest += 1
print(f"{whole} programs are the same, {rest} but for places in groups")
