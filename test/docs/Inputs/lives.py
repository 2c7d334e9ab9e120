#!/usr/bin/env python3
"""Checks the sections "The life of ..." of docs/developers/architecture.md.

usage: lives.py names PAGE TREE
       lives.py run PAGE TREE BUILD FOLDER [--trace]
       lives.py calls PAGE FOLDER

A section names functions, each with its file: `f()` and `A::g()` (`lib/A.cpp`).

names: each file exists, defines the functions named before it, and has at most
       MOST_LINES lines; the section counts its files ("passes through N files").
run:   the commands of each section work in a folder of their own below FOLDER. A block
       of mlir after `<!-- after PASS in FILE -->` is in the dump that
       --mlir-print-ir-after-all wrote to FILE, where `...` stands for any text. With
       --trace, the tools run under valgrind and leave the calls in FOLDER.
calls: the tools called each function. Needs a run with --trace.
"""

import os
import pathlib
import re
import stat
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import run_readme

# A file of a life should be readable in one sitting.
MOST_LINES = 700
SECTION = re.compile(r"^## (The life of [^\n]*)\n(.*?)(?=^## |\Z)", re.M | re.S)
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
FUNCTION = re.compile(r"~?\w+(?:::~?\w+)*\(\)")
PATH = re.compile(r"(?:lib|runtime|tools)/[\w./-]+\.\w+")


def read_lives(page):
    lives = SECTION.findall(page.read_text())
    if not lives:
        sys.exit(f"lives.py: expected sections 'The life of ...' in {page}, found none")
    return lives


def find_functions(text):
    """(file, functions) in the order of a section, and the errors of its form."""
    entries, errors = [], []
    for paragraph in FENCE.sub("", text).split("\n\n"):
        pending = []
        for code in re.findall(r"`([^`]+)`", paragraph):
            code = re.sub(r"\s+", "", code)
            if FUNCTION.fullmatch(code):
                pending.append(code[:-2])
            elif PATH.fullmatch(code):
                if not pending:
                    errors.append(f"expected a function before {code}, got none")
                entries.append((code, pending))
                pending = []
        errors += [f"expected the file of {name}() after it, got none"
                   for name in pending]
    return entries, errors


#===------------------------------------------------------------------------===#
# Names
#===------------------------------------------------------------------------===#


def strip_code(text):
    """C++ without comments and strings."""
    token = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)
    return token.sub(lambda match: '""' if match[0][0] == '"' else " ", text)


def skip_brackets(text, start):
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def has_body(text, name):
    """Whether a function is defined, not only declared or called."""
    for match in re.finditer(rf"(?<![\w.>~]){re.escape(name)}\s*\(", text):
        rest = text[skip_brackets(text, match.end() - 1):]
        if re.match(r"(?:\s|const\b|override\b|noexcept\b|->[^;{}]*"
                    r"|:(?!:)[^;{}]*(?:\{[^{}]*\}[^;{}]*)*)*\{", rest):
            return True
    return False


def is_defined(text, name):
    if has_body(text, name):
        return True
    scope, _, own = name.rpartition("::")
    for match in re.finditer(rf"\b(?:class|struct) {scope}\b[^;{{]*\{{", text):
        body = text[match.end():skip_brackets(text, match.end() - 1)]
        if scope and has_body(body, own):
            return True
    return False


def check_names(page, tree):
    errors, counts = [], []
    for title, text in read_lives(page):
        entries, found = find_functions(text)
        errors += [f"{title}: {error}" for error in found]
        for path, functions in entries:
            file = tree / path
            if not file.is_file():
                errors.append(f"{title}: expected a file {path}, found none")
                continue
            source = file.read_text()
            if source.count("\n") > MOST_LINES:
                errors.append(f"{title}: expected at most {MOST_LINES} lines in "
                              f"{path}, got {source.count(chr(10))}")
            code = strip_code(source)
            errors += [f"{title}: expected {path} to define {name}(), found no "
                       "definition" for name in functions
                       if not is_defined(code, name)]
        files = len({path for path, _ in entries})
        stated = re.search(r"passes\s+through\s+(\d+)\s+files", text)
        if not stated or int(stated[1]) != files:
            errors.append(f"{title}: expected 'passes through {files} files', got "
                          f"{stated[0]!r}" if stated else
                          f"{title}: expected 'passes through {files} files', "
                          "found no count")
        counts.append(f"{files} files")
    print(f"lives: {', '.join(counts)}")
    return errors


#===------------------------------------------------------------------------===#
# Runs
#===------------------------------------------------------------------------===#


def make_shims(tools, folder):
    """A folder of tools that run under valgrind and write their calls to `folder`."""
    shims = folder / "shims"
    shims.mkdir()
    for tool in tools.iterdir():
        shim = shims / tool.name
        shim.write_text("#!/bin/sh\nexec valgrind -q --tool=callgrind "
                        f"--callgrind-out-file={folder}/%p.calls {tool} \"$@\"\n")
        shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return shims


def check_ir(title, text, folder):
    errors = []
    count = 0
    for mark, language, body in run_readme.blocks(text):
        match = re.fullmatch(r"after ([\w-]+) in (\S+)", mark or "")
        if language == "mlir" and match is None and not (mark or "").startswith("run"):
            errors.append(f"{title}: expected '<!-- after PASS in FILE -->' before a "
                          f"block of mlir, got {mark}")
        if match is None:
            continue
        count += 1
        dump = (folder / match[2]).read_text()
        parts = re.findall(rf"^// -----// IR Dump After \w+ \({match[1]}\) [^\n]*\n"
                           r"(.*?)(?=^// -----// IR|\Z)", dump, re.M | re.S)
        place = 0
        for line in body.splitlines():
            wanted = r"^\s*" + ".*?".join(map(re.escape, line.strip().split("..."))) \
                + "$"
            found = re.compile(wanted, re.M).search(parts[-1], place) if parts else None
            if line.strip() == "...":
                continue
            if not found:
                errors.append(f"{title}: expected this line in the IR after "
                              f"{match[1]}, after the lines before it, found none:\n"
                              f"{line}")
                break
            place = found.end()
    if count == 0:
        errors.append(f"{title}: expected IR after passes, found none")
    return errors


def run(page, tree, build, folder, traces):
    errors = []
    start = os.getcwd()
    path = os.environ["PATH"]
    for number, (title, text) in enumerate(read_lives(page), 1):
        own = folder / str(number)
        own.mkdir(parents=True)
        if traces:
            os.environ["PATH"] = f"{make_shims(build / 'bin', own)}:{path}"
        os.chdir(own)
        run_readme.link_tree(tree, build)
        if run_readme.run_blocks(text) == 0:
            errors.append(f"{title}: expected commands to run, found none")
        os.chdir(start)
        os.environ["PATH"] = path
        errors += check_ir(title, text, own)
    return errors


#===------------------------------------------------------------------------===#
# Calls
#===------------------------------------------------------------------------===#


def read_calls(folder):
    """The names of all functions that ran, one per line."""
    names = set()
    for trace in folder.glob("*.calls"):
        names.update(re.findall(r"^c?fn=\(\d+\) (.*)$", trace.read_text(), re.M))
    return "\n".join(sorted(names))


def was_called(calls, name):
    scope, _, own = name.rpartition("::")
    # The class may be in a namespace, or an argument of a template.
    before = rf"\b{re.escape(scope)}\b[^\n]*::" if scope else r"(?:^|[\s:])"
    return re.search(rf"{before}{re.escape(own)}(?:\[abi:\w+\])?(?:<[^\n]*>)?"
                     r"(?:\(|$|')", calls, re.M) is not None


def check_calls(page, folder):
    errors, counts = [], []
    for number, (title, text) in enumerate(read_lives(page), 1):
        calls = read_calls(folder / str(number))
        if not calls:
            errors.append(f"{title}: expected traces in {folder / str(number)}, found "
                          "none")
            continue
        names = {name for _, functions in find_functions(text)[0] for name in functions}
        errors += [f"{title}: expected the tools to call {name}(), they did not"
                   for name in sorted(names) if not was_called(calls, name)]
        counts.append(f"{len(names)} functions")
    print(f"calls: {', '.join(counts)}")
    return errors


def main():
    command, *rest = sys.argv[1:]
    traces = "--trace" in rest
    paths = [pathlib.Path(word).absolute() for word in rest if word != "--trace"]
    if command == "run":
        errors = run(*paths, traces)
    else:
        errors = {"names": check_names, "calls": check_calls}[command](*paths)
    if errors:
        sys.exit("\n".join(errors))


if __name__ == "__main__":
    main()
