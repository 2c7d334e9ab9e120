#!/usr/bin/env python3
"""Writes docs/validation/papers.md: published and computed values.

usage: papers.py BUILD [--rows=FILE] [--page=FILE] [--check] [--jobs=N]

BUILD is a build folder whose bin/ has the tools and moe-bench-fsmoe. Every
command of bench/papers/rows.json runs once, in the root of the tree. --check
compares with the page instead of writing it. Exit code 1 when a row breaks a
rule of rules.py, a command fails, or the page differs.
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import page  # pylint: disable=wrong-import-position
import rules  # pylint: disable=wrong-import-position

TREE = pathlib.Path(__file__).resolve().parents[2]


def parse(text):
    """JSON, a list where there are several, Markdown tables, or text."""
    decoder, at, found = json.JSONDecoder(), 0, []
    try:
        while at < len(text.rstrip()):
            value, at = decoder.raw_decode(text, at)
            found.append(value)
            while at < len(text) and text[at].isspace():
                at += 1
        return found[0] if len(found) == 1 else found
    except json.JSONDecodeError:
        return rules.parse_tables(text) if "\n| " in text else text.strip()


def run(name, command, build):
    """(name, output of a command, error)."""
    env = dict(os.environ, PATH=f"{build / 'bin'}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=TREE,
                          env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return name, None, (f"command '{name}': exit code {done.returncode}: "
                            f"{done.stderr.strip()}")
    if not done.stdout.strip():
        return name, None, f"command '{name}': expected output, found none"
    return name, parse(done.stdout), None


def run_all(commands, build, jobs):
    outputs, problems = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, output, problem in pool.map(
                lambda item: run(*item, build), commands.items()):
            if problem:
                problems.append(problem)
            else:
                outputs[name] = output
    return outputs, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path,
                        default=pathlib.Path(__file__).with_name("rows.json"))
    parser.add_argument("--page", type=pathlib.Path,
                        default=TREE / "docs/validation/papers.md")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()

    table = json.loads(options.rows.read_text())
    outputs, problems = run_all(table["commands"], options.build.resolve(),
                                options.jobs)
    if not problems:
        problems = rules.evaluate(table, outputs, TREE)
    if problems:
        sys.exit("\n".join(f"papers.py: {problem}" for problem in problems))
    text = page.write(table, rules.read_formulas(TREE))
    if not options.check:
        options.page.write_text(text)
    elif text != (found := options.page.read_text()):
        sys.exit("".join(difflib.unified_diff(
            found.splitlines(True), text.splitlines(True), str(options.page),
            "computed", n=0)))
    print(f"{len(table['rows'])} rows, {len(outputs)} commands")


if __name__ == "__main__":
    main()
