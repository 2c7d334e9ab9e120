"""Checks how many files an addition to the compiler touches, and that it compiles.

usage: additions.py SOURCE BUILD FOLDER PATCH MAX

Applies PATCH to copies of the files that it names, in FOLDER, and compiles those that
are no headers. Fails if it touches more than MAX files.
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys


def find_flags(commands, source):
    """The flags of the units of the component that `source` is in."""
    component = re.match(r"lib/[^/]+/", source)[0]
    for entry in commands:
        flags = shlex.split(entry["command"])
        end = flags.index("-o")
        # Not every CMake writes the key `output`.
        if flags[end + 1].startswith(component):
            break
    else:
        sys.exit(f"expected a unit of {component} in compile_commands.json, got none")
    kept = []
    for flag in flags[:end]:
        if flag.endswith(".pch"):
            # It has the unchanged headers. The text that it is made of remains.
            del kept[kept.index("-include-pch") - 1:]
        elif flag != "ccache":
            kept.append(flag)
    return kept, entry["directory"]


source, build, folder, patch, most = sys.argv[1:]
source, folder = pathlib.Path(source), pathlib.Path(folder)
names = re.findall(r"^\+\+\+ (\S+)", pathlib.Path(patch).read_text(), re.M)
if not names or len(names) > int(most):
    sys.exit(f"{patch}: expected at most {most} files, got {len(names)}")
shutil.rmtree(folder, ignore_errors=True)
for name in names:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / name, folder / name)
# Not inside the repository, whose root git would take for the folder.
subprocess.run(["git", "apply", "-p0", "--unsafe-paths", f"--directory={folder}",
                pathlib.Path(patch).resolve()], check=True, cwd="/")
commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
for name in names:
    if not name.endswith(".cpp"):
        continue
    flags, directory = find_flags(commands, name)
    # The copies first, also of headers that unchanged headers include.
    command = [flags[0], f"-I{folder}/include", "-iquote",
               str((source / name).parent), *flags[1:], "-fsyntax-only",
               str(folder / name)]
    subprocess.run(command, check=True, cwd=directory)
print(f"{pathlib.Path(patch).stem}: {len(names)} files, compiles")
