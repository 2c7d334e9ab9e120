#!/usr/bin/env python3
"""Runs the parts of a page that are marked to be run.

usage: run_readme.py PAGE TREE BUILD

- A block of mlir after `<!-- run: NAME -->` is written to NAME and must parse.
- A block of sh after `<!-- run -->` must succeed; it finds the tools of the
  build through PATH and stands in a folder of its own with links to the tree.
- A block after `<!-- file: NAME -->` is written to NAME.
- A block of mlir right after such a block and some words, and any block after
  `<!-- prints -->`, must be what the block printed.
- docs/tutorials/getting-started.md names every tool of the build.
- What is marked `<!-- demo -->` must be what the demo ends with.
"""

import os
import pathlib
import re
import subprocess
import sys


def blocks(text):
    """(mark or None, language, body) of every fenced block, in order."""
    for match in re.finditer(r"(?:<!-- (.*?) -->\n)?^```(\w+)\n(.*?)^```$", text,
                             re.M | re.S):
        yield match[1], match[2], match[3]


def shell(script):
    """Runs a script and returns what it wrote to stdout."""
    print(script, flush=True)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script],
                          stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"run_readme.py: exit code {done.returncode} of:\n{script}")
    return done.stdout


def expect(expected, found, what):
    def settled(text):
        # The number of terms of a proof is an implementation detail.
        return re.sub(r"\d+ terms", "N terms", text)

    if settled(expected) != settled(found):
        sys.exit(f"run_readme.py: expected {what} to be\n{expected}\n"
                 f"got\n{found}")


def link_tree(tree, build):
    """Lets the commands of a page find the tree and the build."""
    for name in ["examples", "include", "platforms", "python", "scripts", "test"]:
        os.symlink(tree / name, name)
    pathlib.Path("build").mkdir()
    os.symlink(build, "build/release")


def run_blocks(text):
    """Runs and compares what is marked, and returns the number of such blocks."""
    count = 0
    printed = None
    for mark, language, body in blocks(text):
        if mark == "demo":
            found = shell("scripts/mixtral.sh build/release/bin build/demo")
            expect(body, found, "what the demo ends with")
        elif mark == "run" and language == "sh":
            printed = shell(body)
        elif mark and mark.startswith("file: "):
            pathlib.Path(mark.removeprefix("file: ")).write_text(body)
        elif mark and mark.startswith("run: "):
            name = mark.removeprefix("run: ")
            pathlib.Path(name).write_text(body)
            shell(f"moe-opt {name} -o /dev/null")
        elif mark == "prints":
            expect(body, printed, "what the command prints")
        elif language == "mlir" and mark is None and printed is not None:
            expect(body.strip(), printed.strip(), "what the command prints")
        else:
            continue
        count += 1
    return count


def main():
    readme, tree, build = map(pathlib.Path, sys.argv[1:])
    link_tree(tree, build)
    text = readme.read_text()
    lists_tools = readme.name == "getting-started.md"
    for tool in sorted(os.listdir("build/release/bin")) if lists_tools else []:
        # The benchmark of the planners is no tool for users.
        if not tool.startswith("moe-bench-") and f"`{tool}" not in text:
            sys.exit(f"run_readme.py: expected {readme} to list {tool}")
    count = run_blocks(text)
    least = 6 if lists_tools else 1
    if count < least:
        sys.exit(f"run_readme.py: expected at least {least} blocks to run in "
                 f"{readme}, found {count}")


if __name__ == "__main__":
    main()
