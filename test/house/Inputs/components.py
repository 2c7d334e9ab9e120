"""Checks that components depend only on the components below them.

usage: components.py SOURCE BUILD [--reverse]

The order is the picture of docs/developers/architecture.md, its block ``components``.
Components in one line must not know each other. --reverse turns the picture upside
down, so that a test sees how a wrong dependency is reported.
"""

import pathlib
import re
import sys

# What the planners, and the runtime's users of them, must do without.
FOREIGN = re.compile(r'#include ["<](mlir|llvm|nlohmann|moe/Dialect)/')
PLAIN = {"Cost", "Dispatch", "Fabric", "Schedule", "Traffic"}
# As plain, in a component that is not.
PLAIN_HEADERS = {"Support/Progress.h"}
PLAIN_SOURCES = {f"lib/{name[:-2]}.cpp" for name in PLAIN_HEADERS}
COMPONENT = re.compile(r"(?:lib|include/moe)/(Dialect/\w+|\w+)/")
PRIVATE = re.compile(r'^#include "([^"]+)"', re.M)
INCLUDE = re.compile(r'^\s*#?include "moe/(Dialect/\w+|\w+)/[^"]*"', re.M)


def read_levels(source, reverse):
    text = (source / "docs/developers/architecture.md").read_text()
    block = re.search(r"^```components\n(.*?)^```", text, re.M | re.S)
    # Cells between bars; a comment follows the last bar. A star marks an optional
    # component (optional.py).
    lines = [[cell.strip(" *") for cell in line.split("|")[1:-1]]
             for line in block.group(1).splitlines() if line.startswith("|")]
    if not reverse:
        lines.reverse()
    return {name: level for level, line in enumerate(lines) for name in line}


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    levels = read_levels(source, "--reverse" in sys.argv[3:])
    errors = []

    def may_use(user, used):
        return user == used or levels[used] < levels[user]

    includes = 0
    files = [
        path
        for folder in ("lib", "include/moe", "runtime")
        for path in sorted((source / folder).rglob("*"))
        if path.suffix in (".h", ".cpp", ".td", ".cu")
    ]
    for path in files:
        name = path.relative_to(source).as_posix()
        text = path.read_text()
        match = COMPONENT.match(name)
        component = match.group(1) if match else None
        if component is not None and component not in levels:
            errors.append(f"{name}: expected the component {component} to be listed in "
                          "docs/developers/architecture.md")
            continue
        if (component in PLAIN or name.startswith("runtime/")
                or name in PLAIN_SOURCES
                or name.removeprefix("include/moe/") in PLAIN_HEADERS):
            foreign = FOREIGN.search(text)
            if foreign:
                errors.append(f"{name}: expected standard C++ alone, got "
                              f"{foreign.group(0)}")
        for include in PRIVATE.finditer(text):
            target = path.parent / include.group(1)
            if component is None or not target.exists():
                continue
            other = COMPONENT.match(target.resolve().relative_to(
                source.resolve()).as_posix())
            if not other or other.group(1) != component:
                errors.append(f"{name}: expected private headers of the component "
                              f"{component} alone, got {include.group(0)}")
        for include in INCLUDE.finditer(text):
            includes += 1
            used = include.group(1)
            if component is None:
                header = include.group(0).split('"')[1].removeprefix("moe/")
                if used not in PLAIN and header not in PLAIN_HEADERS:
                    errors.append(f"{name}: expected the runtime to use no "
                                  f"component but {sorted(PLAIN)}, got {used}")
            elif used not in levels:
                errors.append(f"{name}: expected a component of "
                              f"docs/developers/architecture.md, got {used}")
            elif not may_use(component, used):
                errors.append(
                    f"{name}: expected no include of the component {used} above "
                    f"{component}, got {include.group(0).split(' ', 1)[1]}")

    # Lines `target;folder;linked target...`, which cmake/MoEHouse.cmake wrote.
    targets = {}
    for line in (build / "house/links.txt").read_text().split():
        name, folder, *linked = line.split(";")
        match = COMPONENT.match(
            pathlib.Path(folder).relative_to(source).as_posix() + "/")
        if match:
            targets[name] = (match.group(1), linked)
    links = 0
    for name, (component, linked) in targets.items():
        for other in linked:
            if other in targets:
                links += 1
                if component not in levels or targets[other][0] not in levels:
                    errors.append(f"target {name}: expected components of "
                                  f"docs/developers/architecture.md, got {component} and "
                                  f"{targets[other][0]}")
                    continue
                if not may_use(component, targets[other][0]):
                    errors.append(
                        f"target {name}: expected no link with {other}: the "
                        f"component {targets[other][0]} is above {component}")
    if not targets or not includes or not links:
        errors.append("expected components, includes and links, found none")
    if errors:
        sys.exit("\n".join(errors))
    print(f"components in order, includes: {includes}, links: {links}")


main()
