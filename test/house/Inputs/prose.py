#!/usr/bin/env python3
"""Finds phrases that are never right in this project's English.

usage: prose.py [--update] [ROOT]

Checks pages, comments and messages below ROOT (default: the tree of this script).
A failure prints the reason and a rewrite for each phrase. The file
ROOT/test/house/Inputs/prose-hits.txt lists the remaining hits of each file, as
`FILE PATTERN COUNT`. More hits than listed fail because new text has to be clean.
Fewer hits fail too because the list has to shrink with the text: --update rewrites
it. Hits may move between files, for example when a file is renamed or split, but
--update refuses to list more hits of a pattern than before. If there is no list,
--update writes the first one.
"""

import bisect
import collections
import pathlib
import re
import sys

# Stands between two pieces of text, so that no phrase crosses it.
BREAK = "\x01"
WORD = re.compile(rf"[^\s{BREAK}]+|{BREAK}")

BE = r"(?:is|are|was|were|be|been|being)"
COUNTED = (r"(?:bytes|calls|chunks|copies|elements|experts|FLOPs|frames|GPUs|links"
           r"|messages|micro-batches|NICs|once|operations|parameters|processes|ranks"
           r"|rows|samples|sequences|servers|slots|tasks|threads|tokens|twice|values)")
UNIT = (r"(?:byte|call|chunk|device|element|expert|GPU|group|host|iteration|layer|link"
        r"|node|parameter|process|rank|row|second|server|step|stream|switch|task|thread"
        r"|token)")
# "the rows a rank receives" is right.
RELATIVE = (r" (?:can|computes|gets|has|holds|keeps|may|must|needs|receives|runs|sends"
            r"|takes|uses|waits|works|would)\b")

# name: (pattern, reason, rewrite). One space separates words, and ^ is the start of a
# comment, string, paragraph or table cell.
PATTERNS = {
    "as-it-goes": (
        r"\bas \w+ as it goes\b",
        "translated idiom",
        '"as even as possible"'),
    "asked": (
        rf"\b{BE} asked (?:to|for)\b",
        "hides the actor",
        '"the caller requests X", "if --option is given"'),
    "beside": (
        r"\b(?:beside|in front of)\b",
        "a word of place for time, order or comparison",
        '"with", "next to", "compared with", "concurrently with", "before"'),
    "headless": (
        r"\b[Ww]hat (?:becomes of|goes|is left of|lies|stands|there (?:are|is))\b",
        "a clause in place of a noun",
        "name the thing"),
    "nobody": (
        r"\b(?:[Nn]o|[Ss]ome)body\b|\b[Ww]hoever\b",
        "hides the actor",
        'name it: "no op", "the caller", "a user"'),
    "none-there": (
        r"\b[Ww]here there (?:are|is) none\b",
        "the noun is in another sentence",
        '"if there is no X"'),
    "nothing-of": (
        r"\b[Nn]othing of (?!the (?:kind|sort)\b)",
        "hides the actor",
        '"the pass removes X", "no X remains"'),
    "of-a-name": (
        r"\b(?:a|no|one|the|two) [\w']+ of (?:a|one) name\b(?! (?:and|or)\b)",
        "translated idiom",
        '"a unique name", "the same name"'),
    "of-first": (
        r"(?:^|[.!?;:]) Of (?!course\b)[a-z0-9]",
        'a sentence that opens with "Of" hides its subject',
        '"For X, ...", or begin with the actor'),
    "per": (
        rf"\b{COUNTED} an? {UNIT}\b(?!['’-]|{RELATIVE})",
        'a rate takes "per"',
        '"tokens/s", "bytes per rank", "once per node"'),
    "said": (
        rf"\b{BE} (?:said|told)\b(?! (?:apart|from)\b)",
        "tools print, report, pass or return",
        '"the remark reports X", "the caller passes X"'),
    "says": (
        r"\b(?:says?|tells?) (?:how|so|what|where|whether|which|who|why)\b",
        "people and logs say; tools, files and values do not",
        '"reports", "prints", "describes", "specifies", "selects"'),
    "stands": (
        r"\b(?:stands?|stood) (?:at|behind|before|here|in(?! for\b)|inside|on|outside"
        r"|right|there|where)\b",
        "data and ops do not stand",
        '"is", or name the relation: "precedes", "is stored in"'),
    "such-that": (
        r"\bsuch (?:of|that (?:are|is))\b",
        '"such" in place of a noun',
        "repeat the noun"),
    "those-of": (
        r"\b(?:[Tt]hose|[Tt]hat) of\b",
        "a pronoun in place of a noun",
        'repeat the noun: "the rows of X"'),
    "wants": (
        r"\bwants? (?:a|an|it|neither|no|none|the|them|this|to be)\b",
        "programs, flags and ops do not want",
        '"requires", "needs", "accepts"'),
    "whom": (
        r"\b(?:by|of) whom\b",
        "ranks, structs and options are things",
        '"of which", or name it: "its receiver"'),
}


COMPILED = {name: re.compile(pattern.replace("^", BREAK))
            for name, (pattern, _, _) in PATTERNS.items()}

# Tools write these from files that are checked.
GENERATED = {"docs/validation/papers.md", "docs/reference/command-line.md",
             "docs/reference/passes.md"}
# These hold the phrases on purpose.
EXAMPLES = {"test/house/Inputs/prose.py", "test/house/prose.test"}
PAGES = ("*.md", "docs/**/*.md", "runtime/*.md")
FOLDERS = ("dialects", "include", "lib", "python", "runtime", "scripts", "test",
           "tools", "unittests")
LIST = "test/house/Inputs/prose-hits.txt"
UPDATE = "test/house/Inputs/prose.py --update"

COMMENT = r"(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)"
STRING = r'(?P<string>"(?:[^"\\\n]|\\.)*")'
QUOTED = r"(?P<quoted>'(?:[^'\\\n]|\\.)*')"
C_TOKEN = re.compile(
    COMMENT + r'|R"(?P<tag>[^()\s\\]{0,16})\((?P<raw>.*?)\)(?P=tag)"|' + STRING
    + r"|(?<![0-9A-Za-z])" + QUOTED + r"|(?P<template>`(?:[^`\\]|\\.)*`)", re.S)
TABLEGEN_TOKEN = re.compile(COMMENT + r"|\[\{(?P<raw>.*?)\}\]|" + STRING, re.S)
PYTHON_TOKEN = re.compile(
    r'(?P<line>\#[^\n]*)|(?P<block>"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\')|'
    + STRING + "|" + QUOTED, re.S)
SHELL_TOKEN = re.compile(r"(?:^|(?<=\s))(?P<line>\#[^\n]*)", re.M)
TOKENS = {
    **dict.fromkeys([".c", ".cc", ".cpp", ".cu", ".cuh", ".h", ".js"], C_TOKEN),
    ".mlir": re.compile(r"(?P<line>//[^\n]*)"),
    ".py": PYTHON_TOKEN,
    ".sh": SHELL_TOKEN,
    ".td": TABLEGEN_TOKEN,
}
HELD_COMMENT = re.compile(r"^[ \t]*(?P<line>(?:#|//)[^\n]*)", re.M)
# A line that lit or FileCheck reads.
DIRECTIVE = re.compile(r"^[ \t]*(?:#|//)?[ \t]*(?:[A-Z][A-Z0-9_-]*:|expected-)[^\n]*",
                       re.M)


# The functions from here to `break_paragraphs` return text of the length of their
# argument, so the place of a phrase is its place in the file.


def blank(match):
    return " " * len(match.group())


def mask_code(text):
    """Removes blocks of code, and replaces code inside a line by signs."""
    text = re.sub(r"^[ \t]*```.*?(?:^[ \t]*```|\Z)", blank, text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda match: "#" * len(match.group()), text)


def break_paragraphs(text):
    """Puts a break at empty lines, headings, items of lists and cells of tables."""
    return re.sub(r"^[ \t]*(?:\n|(?:[-*]|#+|\d+\.) )|\|",
                  lambda match: BREAK + match.group()[1:], text, flags=re.M)


# The functions from here to `read_prose` return the prose of a file as pieces, each
# with its place.


def read_page(text):
    text = re.sub(r"<!--.*?-->", blank, text, flags=re.S)
    text = re.sub(r"\]\([^)\n]*\)|\[|\*\*", blank, mask_code(text))
    return [(0, break_paragraphs(text))]


def read_source(text, tokens, with_strings):
    """Comments, and strings where they are messages."""
    pieces = []
    end, previous = 0, None
    for match in tokens.finditer(text):
        kind = match.lastgroup if match.lastgroup != "tag" else "raw"
        piece = match.group(kind)
        if kind == "line":
            piece = mask_code(re.sub(r"^(?://[/!]?<?|#+!?)", blank, piece))
        elif kind == "block":
            piece = re.sub(r"^(?:/\*+[!<]?|\"\"\"|''')|(?:\*+/|\"\"\"|''')$", blank,
                           piece)
            piece = re.sub(r"^[ \t]*\*(?!\S)", blank, piece, flags=re.M)
            piece = break_paragraphs(mask_code(piece))
        elif not with_strings:
            previous = None
            continue
        elif kind == "raw":
            piece = break_paragraphs(mask_code(piece))
        else:
            piece = " " + re.sub(r"\\.", "  ", piece[1:-1], flags=re.S)
        # Comments in consecutive lines are one text, and so are adjacent strings.
        between = text[end:match.start()]
        if not piece.strip() or not (
                kind == previous and kind in ("line", "string")
                and not between.strip() and between.count("\n") <= 1):
            piece = BREAK + piece[1:]
        pieces.append((match.start(kind), piece))
        end, previous = match.end(), kind
    return pieces


def read_test(text):
    """The text before the files that a test holds, and the comments of these."""
    text = DIRECTIVE.sub(blank, text)
    head, mark, tail = text.partition("\n#---")
    start = len(head) + len(mark)
    head = re.sub(r"^[ \t]*(?:#|//)", blank, head, flags=re.M)
    return [(0, break_paragraphs(mask_code(head)))] + [
        (start + place, piece)
        for place, piece in read_source(tail, HELD_COMMENT, False)]


def read_prose(text, name):
    suffix = pathlib.PurePath(name).suffix
    if suffix == ".md":
        return read_page(text)
    if suffix == ".test":
        return read_test(text)
    if suffix == ".mlir":
        text = DIRECTIVE.sub(blank, text)
    in_test = name.startswith(("test/", "unittests/"))
    return read_source(text, TOKENS[suffix], not in_test)


def find_files(root):
    """The names of all files that are checked, in order."""
    paths = [path for pages in PAGES for path in root.glob(pages)]
    paths += [path for folder in FOLDERS for path in (root / folder).rglob("*")
              if path.suffix in TOKENS or path.suffix == ".test"]
    names = {path.relative_to(root).as_posix() for path in paths}
    return sorted(names - GENERATED - EXAMPLES)


def find_hits(root):
    """{(file, pattern): [(line, phrase)]}"""
    hits = collections.defaultdict(list)
    for name in find_files(root):
        text = (root / name).read_text(errors="replace")
        # The words with one space after each, and where these begin here and there.
        words, here, there, length = [], [], [], 0
        for place, piece in read_prose(text, name):
            for match in WORD.finditer(piece):
                words.append(match.group())
                here.append(length)
                there.append(place + match.start())
                length += len(match.group()) + 1
        prose = " ".join(words)
        for pattern, compiled in COMPILED.items():
            for match in compiled.finditer(prose):
                word = bisect.bisect_right(here, match.end() - 1) - 1
                before = prose[:match.start()].rpartition(BREAK)[2][-24:]
                after = prose[match.end():].partition(BREAK)[0][:24]
                phrase = (before + match.group() + after).strip(BREAK + " ")
                line = text.count("\n", 0, there[word]) + 1
                hits[name, pattern].append((line, phrase))
    return hits


def read_list(path):
    listed = {}
    for line in path.read_text().splitlines():
        name, pattern, count = line.rsplit(" ", 2)
        listed[name, pattern] = int(count)
    return listed


def count_by_pattern(counts):
    totals = collections.Counter()
    for (_, pattern), count in counts.items():
        totals[pattern] += count
    return totals


def describe_excess(hits, listed, patterns):
    """Lines about the hits of these patterns beyond the listed ones."""
    for (name, pattern), found in sorted(hits.items()):
        expected = listed.get((name, pattern), 0)
        if pattern not in patterns or len(found) <= expected:
            continue
        _, reason, rewrite = PATTERNS[pattern]
        yield (f"{name}: pattern '{pattern}': expected a count of at most {expected}, "
               f"got {len(found)}")
        yield f"  why: {reason}"
        yield f"  instead: {rewrite}"
        for line, phrase in found:
            yield f"  {name}:{line}: {phrase}"


def main(arguments):
    update = "--update" in arguments
    folders = [argument for argument in arguments if argument != "--update"]
    if len(folders) > 1 or any(folder.startswith("-") for folder in folders):
        sys.exit(__doc__.strip())
    root = pathlib.Path(folders[0] if folders else pathlib.Path(__file__).parents[3])
    path = root / LIST
    hits = find_hits(root)
    counts = {key: len(found) for key, found in hits.items()}
    listed = read_list(path) if path.exists() else counts if update else {}
    errors = []
    if update:
        before, after = count_by_pattern(listed), count_by_pattern(counts)
        grown = sorted(name for name in PATTERNS if after[name] > before[name])
        if grown:
            errors += describe_excess(hits, listed, grown)
            errors.append(f"{LIST}: not written because it would list more hits of "
                          f"{', '.join(grown)} than before")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{name} {pattern} {count}\n" for
                                    (name, pattern), count in sorted(counts.items())))
    else:
        errors += describe_excess(hits, listed, PATTERNS)
        fewer = [(name, pattern, expected, counts.get((name, pattern), 0))
                 for (name, pattern), expected in sorted(listed.items())
                 if counts.get((name, pattern), 0) < expected]
        errors += [f"{name}: pattern '{pattern}': expected the listed count of "
                   f"{expected}, got {got}" for name, pattern, expected, got in fewer]
        if fewer:
            errors.append(f"the text is better than the list: run {UPDATE}, which "
                          f"shortens {LIST}")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{sum(counts.values())} hits in {len({name for name, _ in counts})} of "
          f"{len(find_files(root))} files, all listed")


if __name__ == "__main__":
    main(sys.argv[1:])
