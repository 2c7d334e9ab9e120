#!/usr/bin/env python3
"""Prints what a pass chose for each layer, layers of one choice together.

usage: show-choices.py [--all] REMARKS.yaml

Of the forms that were not chosen only the runner-up and the baseline are
printed, and what would change the choice, unless --all is given.

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
    """`0-3, 7` for 0, 1, 2, 3, 7, and `3-1 bwd` for `3 bwd`, `2 bwd`, `1 bwd`;
    names that are no numbers as they are."""
    parts = []
    for name in names:
        number, phase = re.fullmatch(r"(.*?)( fwd| bwd)?", name).groups("")
        step = 0
        if (parts and number.isdecimal() and parts[-1][1].isdecimal()
                and parts[-1][2] == phase):
            step = int(number) - int(parts[-1][1])
        if step in (1, -1) and parts[-1][3] in (0, step):
            parts[-1][1], parts[-1][3] = number, step
        else:
            parts.append([number, number, phase, 0])
    return ", ".join((first if first == last else f"{first}-{last}") + phase
                     for first, last, phase, _ in parts)


def main():
    arguments = sys.argv[1:]
    show_all = "--all" in arguments
    if show_all:
        arguments.remove("--all")
    if len(arguments) != 1:
        sys.exit("usage: show-choices.py [--all] REMARKS.yaml")
    path = arguments[0]
    choices = {}
    for text in remarks(path):
        match = re.fullmatch(r"layer (\S+(?: fwd| bwd)?): (.*)", text)
        if not match:
            sys.exit(f"show-choices.py: {path}: expected 'layer NAME: CHOICE', "
                     f"found {text!r}")
        choices.setdefault(match[2], []).append(match[1])
    if not choices:
        sys.exit(f"show-choices.py: {path}: expected remarks, found none")
    for choice, names in choices.items():
        print(f"layer{'s' if len(names) > 1 else ''} {ranges(names)}")
        chosen, *others = choice.split("; ")
        print(f"  {chosen}")
        for other in others:
            if show_all or re.match(r"(runner-up|baseline):|\d+ candidates?", other) \
                    or " would be chosen with " in other \
                    or other.startswith("with parameters fitted"):
                print(f"  {other}")


if __name__ == "__main__":
    main()
