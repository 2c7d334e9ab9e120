#!/usr/bin/env python3
"""Checks that the files that pages name exist.

usage: paths.py TREE [PAGE...]

Between backquotes, a path that begins with a folder of the tree must be one of
its files or folders, with `*` for any text, or one that an example's patch next
to this script adds. Without a PAGE, the pages are README.md, CONTRIBUTING.md
and all pages below docs/ that are not generated. In a row of a table whose
first cell is the question, a bare file name means a file next to the path named
before it.
"""

import pathlib
import re
import sys

FOLDERS = ("bench", "cmake", "dialects", "docs", "examples", "include", "lib",
           "platforms", "runtime", "scripts", "test", "tools", "unittests")


def main():
    tree = pathlib.Path(sys.argv[1])
    missing, seen = [], 0
    added = {name
             for patch in pathlib.Path(__file__).parent.glob("*.patch")
             for name in re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)}
    pages = list(map(pathlib.Path, sys.argv[2:])) or [
        tree / "README.md", tree / "CONTRIBUTING.md",
        *(page for page in sorted(tree.glob("docs/**/*.md"))
          if not page.read_text().startswith("<!-- Generated "))]
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        for line in text.split("\n"):
            folder = None
            for name in re.findall(r"`([\w./*-]+)`", line):
                if name.split("/")[0] in FOLDERS and "/" in name:
                    found = sorted(tree.glob(name.rstrip("/")))
                    folder = pathlib.PurePath(name).parent
                elif folder and re.fullmatch(r"\w+\.(cpp|h|td|cu)", name) \
                        and line.startswith("|"):
                    found = sorted(tree.glob(str(folder / name)))
                else:
                    continue
                seen += 1
                if not found and name not in added:
                    missing.append(f"{page.name}: expected a file "
                                   f"{name if '/' in name else folder / name}, "
                                   "found none")
    print("\n".join(missing))
    print(f"{seen} paths, {len(missing)} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
