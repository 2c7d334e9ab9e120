#!/usr/bin/env python3
"""Applies the patches of docs/developers/add-a-kernel.md to a copy of the tree.

usage: apply_patches.py SOURCE WORK PATCH=MOST... --build=0|1 --cmake=PROGRAM
                        --settings=BUILD

Prints how many files each patch changes, besides tests at most MOST. With
--build=1 the copy is built with the settings of the folder BUILD, as far as the
patches' tests require, and these are run in it. The copy stays, so that the
next run only compiles changes.
"""

import argparse
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Targets that the patches' tests use: the tools, and the emulation of devices.
TARGETS = ["moe-opt", "moe-run", "moert_stand_ins"]
# Folders of a checkout that do not belong to the tree.
IGNORED = (".git", "build", "__pycache__")
SETTINGS = ("CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER",
            "CMAKE_GENERATOR", "CMAKE_MAKE_PROGRAM", "LLVM_DIR", "MLIR_DIR")


def list_files(folder):
    """Names of all files below a folder, without what is ignored."""
    names = set()
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in IGNORED]
        names |= {os.path.relpath(os.path.join(path, name), folder)
                  for name in files}
    return names


def renew(tree, source, patched, names):
    """Updates `tree` to the source with the patch. Unchanged files stay, so
    that they are not compiled again."""
    wanted = list_files(source) | names
    tree.mkdir(parents=True, exist_ok=True)
    for name in list_files(tree) - wanted:
        (tree / name).unlink()
    for name in wanted:
        origin = (patched if name in names else source) / name
        copy = tree / name
        if copy.exists() and filecmp.cmp(origin, copy, shallow=False):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(origin, copy)


def read_settings(build):
    cache = (build / "CMakeCache.txt").read_text()
    settings = {}
    for name in SETTINGS:
        line = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
        if not line:
            sys.exit(f"expected {build}/CMakeCache.txt to have {name}")
        settings[name] = line[1]
    return settings


def apply(patch, source, patched):
    """Applies one patch to the files it changes, which are copied to `patched`
    unless a previous patch did. Returns their names."""
    files = re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.MULTILINE)
    for name in files:
        if (source / name).exists() and not (patched / name).exists():
            (patched / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, patched / name)
    # Lines around a change may differ; replaced lines may not.
    subprocess.run(["patch", "-p1", "--no-backup-if-mismatch", "--quiet",
                    "-i", patch.resolve()], cwd=patched, check=True)
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("patches", nargs="+", metavar="PATCH=MOST")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--settings", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=int, default=0)
    args = parser.parse_args()

    page = (args.source / "docs/developers/add-a-kernel.md").read_text()
    patched = args.work / "patched"
    shutil.rmtree(patched, ignore_errors=True)
    patched.mkdir(parents=True)
    files, tests = set(), []
    for argument in args.patches:
        patch, most = argument.rsplit("=", 1)
        patch = pathlib.Path(patch)
        changed = apply(patch, args.source, patched)
        own_tests = [name for name in changed
                     if name.startswith(("test/", "unittests/"))]
        others = [name for name in changed if name not in own_tests]
        if not others or len(others) > int(most):
            sys.exit(f"expected {patch.name} to change 1 to {most} files "
                     f"besides tests, got {len(others)}: {' '.join(others)}")
        # The page must mention all of them.
        for name in others:
            if f"`{name}`" not in page:
                sys.exit(f"expected docs/developers/add-a-kernel.md to name {name}")
        print(f"{patch.stem}: {len(others)} files and {len(own_tests)} test"
              f"{'' if len(own_tests) == 1 else 's'}", flush=True)
        files.update(changed)
        tests += own_tests
    if not args.build:
        return

    tree, build = args.work / "tree", args.work / "build"
    renew(tree, args.source, patched, files)
    settings = read_settings(args.settings)
    generator = settings.pop("CMAKE_GENERATOR")
    subprocess.run([args.cmake, "-S", tree, "-B", build, "-G", generator]
                   + [f"-D{name}={value}" for name, value in settings.items()],
                   check=True)
    subprocess.run([args.cmake, "--build", build, "--target"] + TARGETS,
                   check=True)
    # The patches contain the pages as TableGen writes them.
    tests.append("test/docs/reference.test")
    passed = subprocess.run(
        ["lit-22", "-v", build / "test", "--filter",
         "|".join(re.escape(name.removeprefix("test/")) for name in tests)],
        stdout=sys.stderr)
    if passed.returncode == 0:
        print(f"passed: {len(tests)} tests")
    sys.exit(passed.returncode)


if __name__ == "__main__":
    main()
