#!/usr/bin/env python3
"""Prints the bytes that one rank sends over each mesh axis before and after a
rewrite.

usage: compare-volumes.py BEFORE.csv AFTER.csv

Both files are the output of `moe-opt --moe-print-volumes=format=csv`.
"""

import csv
import sys


def part(op, exchanges):
    """A layer's first all-to-all sends tokens to the experts; the results
    return from the first reduction, or the second all-to-all, on."""
    reduces = op in ("all_reduce", "reduce_scatter")
    return "combine" if exchanges > 1 or reduces else "dispatch"


def load(path):
    """Bytes by (axes, part of the layer, collective)."""
    volumes = {}
    exchanges = {}
    reduced = set()
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if not row["bytes"]:
                sys.exit(f"compare-volumes.py: {path}: expected a number of "
                         f"bytes for every op, found none for {row['op']} of "
                         f"layer {row['layer']}")
            layer = (row["function"], row["layer"], row["phase"])
            if row["op"] == "all_to_all":
                exchanges[layer] = exchanges.get(layer, 0) + 1
            where = part(row["op"], exchanges.get(layer, 0))
            if layer in reduced:
                where = "combine"
            if where == "combine":
                reduced.add(layer)
            key = (row["axes"], where, row["op"])
            volumes[key] = (volumes.get(key, 0)
                            + int(row["bytes"]) * int(row["times"]))
    return volumes


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare-volumes.py BEFORE.csv AFTER.csv")
    before, after = load(sys.argv[1]), load(sys.argv[2])
    form = "{:<6} {:<26} {:>16} {:>16}  {}"
    print(form.format("axis", "collective", "bytes before", "bytes after",
                      "after/before"))

    def line(axis, name, old, new):
        ratio = f"{new / old:.4g}" if old else "-"
        print(form.format(axis, name, f"{old:,}", f"{new:,}", ratio))

    keys = sorted(before.keys() | after.keys(),
                  key=lambda key: (key[0], key[1] != "dispatch", key[2]))
    for axes in sorted({key[0] for key in keys}):
        items = [key for key in keys if key[0] == axes]
        for key in items:
            line(axes, f"{key[1]} {key[2]}", before.get(key, 0),
                 after.get(key, 0))
        line(axes, "total", sum(before.get(key, 0) for key in items),
             sum(after.get(key, 0) for key in items))


if __name__ == "__main__":
    main()
