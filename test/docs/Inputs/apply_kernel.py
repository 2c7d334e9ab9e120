#!/usr/bin/env python3
"""Applies the patch of docs/AddingAKernel.md to a copy of the tree.

usage: apply_kernel.py PATCH SOURCE WORK --build=0|1 --cmake=PROGRAM
                       --cc=PROGRAM --cxx=PROGRAM

Prints how many files the patch changes. With --build=1 the copy is built with
the settings of the preset `release`, and the patch's tests are run in it.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

MOST_FILES = 8


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("patch", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--build", type=int, default=0)
    args = parser.parse_args()

    text = args.patch.read_text()
    files = re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE)
    tests = [name for name in files if name.startswith(("test/", "unittests/"))]
    others = [name for name in files if name not in tests]
    if not others or len(others) > MOST_FILES:
        sys.exit(f"expected 1 to {MOST_FILES} files besides tests, got "
                 f"{len(others)}: {' '.join(others)}")
    # The page must tell of all of them.
    page = (args.source / "docs/AddingAKernel.md").read_text()
    for name in others:
        if f"`{name}`" not in page:
            sys.exit(f"expected docs/AddingAKernel.md to name {name}")

    tree = args.work / "tree"
    shutil.rmtree(args.work, ignore_errors=True)
    if args.build:
        shutil.copytree(args.source, tree, symlinks=True,
                        ignore=shutil.ignore_patterns(".git", "build"))
    else:
        for name in files:
            if (args.source / name).exists():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(args.source / name, tree / name)
        tree.mkdir(parents=True, exist_ok=True)
    # Lines near a place may have changed; what is replaced may not.
    subprocess.run(["patch", "-p1", "--no-backup-if-mismatch", "--quiet",
                    "-i", args.patch.resolve()], cwd=tree, check=True)
    print(f"applies: {len(others)} files and {len(tests)} test"
          f"{'' if len(tests) == 1 else 's'}", flush=True)
    if not args.build:
        return

    build = args.work / "build"
    subprocess.run([args.cmake, "-S", tree, "-B", build, "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release",
                    f"-DCMAKE_C_COMPILER={args.cc}",
                    f"-DCMAKE_CXX_COMPILER={args.cxx}"],
                   check=True)
    subprocess.run([args.cmake, "--build", build, "--target", "moe-opt",
                    "moe-run"], check=True)
    for name in tests:
        subprocess.run(["lit-22", "-v", build / "test", "--filter",
                        pathlib.Path(name).name], check=True)


if __name__ == "__main__":
    main()
