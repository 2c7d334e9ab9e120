#!/usr/bin/env python3
"""Checks the passes' sections of docs/reference/passes.md, and runs their examples.

usage: pass_examples.py PAGE INPUTS

A section has a one-line summary, then says what the pass does, gives one example
and lists the options, in this order. An example is one of

- a block of mlir: a comment with the command, lines of the program, a comment
  that begins with `becomes`, lines of what the command makes of it. Values have
  names of their own; `...` stands for anything, and so does what is left out at
  a line's end;
- a block of sh: commands, each with what it prints behind it as comments.

Lines between those shown may be missing. Where the command names `in.mlir`,
INPUTS has a file of the pass's name. `step.mlir` and whatever else is named
stands in the working directory.
"""

import pathlib
import re
import shutil
import subprocess
import sys

# Longest summary, in characters. Sections may be as long as they need.
SUMMARY = 80


class Wrong(Exception):
    """A section that violates the required form."""


def sections(page):
    """(pass, section) for each heading of the third level."""
    for part in re.split(r"^### ", page, flags=re.M)[1:]:
        name = re.match(r"`--([\w-]+)`\n", part)
        if not name:
            sys.exit(f"expected a heading with a pass, got {part[:40]!r}")
        yield name[1], re.split(r"^## ", "### " + part, flags=re.M)[0].rstrip()


def example(section):
    """The (language, body) of a section's only example; checks its position,
    and the length of the summary."""
    match = re.fullmatch(
        r"### `.*?`\n\n_(?P<summary>[^\n]*)_\n\n(?P<does>.*?)\n\n"
        r"```(?P<language>mlir|sh)\n(?P<body>.*?)\n```"
        r"(\n\nOptions:\n\n(- `[\w-]+`: [^\n]*\n?)+)?", section, re.S)
    if not match or "```" in match["does"]:
        raise Wrong(f"expected what it does, one example of mlir or sh, "
                 f"and its options, if any; got\n{section}")
    if len(match["summary"]) > SUMMARY:
        raise Wrong(f"expected a summary of at most {SUMMARY} characters, got "
                    f"{len(match['summary'])}")
    return match["language"], match["body"]


def run(command):
    """The output of a command to both streams. It may only fail with an error
    message."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0 and "error:" not in done.stdout:
        raise Wrong(f"exit code {done.returncode} of {command}\n"
                 f"{done.stdout}")
    return done.stdout.split("\n")


def pattern(line, names):
    """A line as a regular expression in which known values must match their
    earlier text, given by `names`. Returns it with the values that occur first,
    one per group."""
    new = []
    text = ""
    for token in re.split(r"(%\w+|\.\.\.)", line.strip()):
        if token == "...":
            text += ".*"
        elif not token.startswith("%"):
            text += re.escape(token)
        elif token in new:
            text += rf"\{new.index(token) + 1}\b"
        elif token in names:
            text += re.escape(names[token]) + r"\b"
        else:
            text += r"(%\w+)"
            new.append(token)
    return text, new


def expect(what, expected, printed, find=re.search):
    """Each expected line is part of a printed one, in order."""
    names = {}
    rest = iter(line.strip() for line in printed)
    for line in expected:
        text, new = pattern(line, names)
        for candidate in rest:
            match = find(text, candidate)
            if match:
                names.update(zip(new, match.groups()))
                break
        else:
            raise Wrong(f"expected {what} to have, behind the lines before "
                     f"it,\n{line}\ngot\n" + "\n".join(printed)[:4000])


def check_mlir(name, body):
    head, *lines = body.split("\n")
    command = head.removeprefix("// ")
    border = [i for i, line in enumerate(lines)
              if line.strip().startswith("// becomes")]
    if not command.startswith("moe-opt ") or f"--{name}" not in command \
            or len(border) != 1:
        raise Wrong(f"expected a command with the pass, a program and what "
                 f"it becomes, got\n{body}")
    file = command.split()[1]
    # A module's own attributes come first, and are only compared if they are
    # shown.
    before = run(f"moe-opt {file}")
    expect(file, lines[:border[0]], before, re.match)
    expect("the result", lines[border[0] + 1:], run(command),
           re.match)


def check_sh(name, body):
    if f"--{name}" not in body:
        raise Wrong(f"expected a command with the pass, got\n{body}")
    command, expected = "", []
    whole = re.sub(r"(?<=\|)\n", " ", body.replace("\\\n", ""))
    for line in whole.split("\n") + [""]:
        if line.startswith("#"):
            expected.append(line[1:])
            continue
        if command:
            expect(f"the output of {command}", expected,
                   run(command))
        command, expected = line, []


def main():
    page, inputs = map(pathlib.Path, sys.argv[1:])
    count, wrong = 0, []
    for name, section in sections(page.read_text()):
        try:
            language, body = example(section)
            if re.search(r"\bin\.mlir\b", body):
                shutil.copy(inputs / f"{name}.mlir", "in.mlir")
            {"mlir": check_mlir, "sh": check_sh}[language](name, body)
            count += 1
        except Wrong as error:
            wrong.append(f"{name}: {error}")
    print(f"{count} examples hold")
    if wrong:
        sys.exit("\n\n".join(wrong))


if __name__ == "__main__":
    main()
