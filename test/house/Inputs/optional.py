"""Checks that the core needs no optional component.

usage: optional.py SOURCE

The picture of docs/developers/architecture.md marks folders of an optional
component with a star. No other folder may include a header of these, but for the
places that register them (REGISTER). Other files that mention circuits are
listed in ``test/house/Inputs/optional.txt`` with the registration point that they
belong to; the list may only shrink.
"""

import pathlib
import re
import sys

# Where tools and tests register the component or are part of it.
REGISTER = re.compile(
    r"lib/Tools/Register(Dialects|Passes|Planners)\.cpp"
    r"|lib/CAPI/Context\.cpp"
    r"|tools/plugin/MoEPlugin\.cpp"
    r"|tools/moe-fabric/.*"
    r"|tools/moe-sim/FabricNetworkOption\.cpp"
    r"|tools/moe-run/SwitchOption\.cpp"
    r"|test/fuzz/moe-(fuzz|vary)\.cpp"
    r"|runtime/lib/ocs/.*"
    r"|runtime/lib/plan/Api(Circuits|Predict)\.cpp"
    r"|runtime/test/unit/\w+Test\.cpp"
    r"|unittests/(Circuits|Fabric)/.*"
    r"|bench/(circuits|fabric)/.*")
FOLDERS = ("lib", "include/moe", "tools", "runtime", "unittests", "bench", "test/fuzz")
WORDS = ("lib", "include/moe", "dialects/moe", "tools")
INCLUDE = re.compile(r'^\s*#\s*include ["<]moe/([^">]*)[">]', re.M)


def read_optional(source):
    text = (source / "docs/developers/architecture.md").read_text()
    block = re.search(r"^```components\n(.*?)^```", text, re.M | re.S).group(1)
    return re.findall(r"\| ([\w/]+) \*", block)


def main():
    source = pathlib.Path(sys.argv[1])
    optional = read_optional(source)
    if not optional:
        sys.exit("expected components with a star in "
                 "docs/developers/architecture.md, found none")
    inside = tuple(f"{root}/{name}/" for root in ("lib", "include/moe")
                   for name in optional)
    errors, checked = [], 0
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            name = path.relative_to(source).as_posix()
            if (path.suffix not in (".h", ".cpp", ".td", ".cu")
                    or name.startswith(inside) or REGISTER.fullmatch(name)):
                continue
            checked += 1
            for header in INCLUDE.findall(path.read_text()):
                if header.startswith(tuple(f"{name}/" for name in optional)):
                    errors.append(f"{name}: expected no header of an optional "
                                  f"component, got moe/{header}")
    listed = {}
    for line in (source / "test/house/Inputs/optional.txt").read_text().splitlines():
        name, _, reason = line.partition(" ")
        listed[name] = reason
    found = set()
    for folder in WORDS:
        for path in sorted((source / folder).rglob("*")):
            name = path.relative_to(source).as_posix()
            if (path.suffix in (".h", ".cpp", ".td", ".js")
                    and not name.startswith(inside)
                    and not REGISTER.fullmatch(name)
                    and "circuit" in path.read_text().lower()):
                found.add(name)
    for name in sorted(found - set(listed)):
        errors.append(f"{name}: expected no mention of circuits outside of their "
                      "component")
    for name in sorted(set(listed) - found):
        errors.append(f"{name}: expected a mention of circuits, as "
                      "test/house/Inputs/optional.txt lists it")
    if errors:
        sys.exit("\n".join(errors))
    print(f"optional: {', '.join(optional)}; files: {checked}, "
          f"registration points: {len(listed)} files")


main()
