#!/usr/bin/env python3
"""Prints what a pass chose for each layer, layers of one choice together.

usage: show-choices.py REMARKS.yaml

The file is what `moe-opt --remarks-filter=moe-select-strategy
--remark-format=yaml --remarks-output-file=REMARKS.yaml` writes.
"""

import re
import sys


def remarks(path):
    """The texts of the remarks, in order."""
    with open(path) as file:
        for line in file:
            if match := re.match(r"\s*- Remark: +(.*)$", line):
                text = match[1]
                # YAML doubles a quote inside a quoted text.
                if text.startswith("'"):
                    text = text[1:-1].replace("''", "'")
                yield text


def ranges(names):
    """`0-3, 7` for 0, 1, 2, 3, 7; names that are no numbers as they are."""
    parts = []
    for name in names:
        if (parts and name.isdecimal() and parts[-1][1].isdecimal()
                and int(name) == int(parts[-1][1]) + 1):
            parts[-1][1] = name
        else:
            parts.append([name, name])
    return ", ".join(first if first == last else f"{first}-{last}"
                     for first, last in parts)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: show-choices.py REMARKS.yaml")
    choices = {}
    for text in remarks(sys.argv[1]):
        match = re.fullmatch(r"layer (\S+): (.*)", text)
        if not match:
            sys.exit(f"show-choices.py: {sys.argv[1]}: expected 'layer NAME: "
                     f"CHOICE', found {text!r}")
        choices.setdefault(match[2], []).append(match[1])
    if not choices:
        sys.exit(f"show-choices.py: {sys.argv[1]}: expected remarks, found "
                 "none")
    for choice, names in choices.items():
        print(f"layer{'s' if len(names) > 1 else ''} {ranges(names)}")
        for part in choice.split("; "):
            print(f"  {part}")


if __name__ == "__main__":
    main()
