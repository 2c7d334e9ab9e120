"""Reads dumps and writes them back; the output must equal the input.

usage: same_text.py FOLDER

In programs with slices at a device's position, which are rewritten, only the
other lines are compared, with values renumbered in order.
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
    """The number of occurrences of each op, without the names of its values."""
    lines = (re.sub(r"%\w+(:\d+)?", "%", line) for line in text.split("\n"))
    return collections.Counter(line.strip() for line in lines)


# Ops that give a device's position in its group.
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
