"""Checks that pages have the formulas that the tree cites, and no others.

usage: formulas.py TREE PAGE...

"SPEC XY-n" cites a label, and so does "XY-n" alone if the pages have its family.
Lists and ranges like "XY-n to XY-m" cite every label, over ends of lines too. A
heading of level 2 or 3 is the entry of a label: "## XY-n: its meaning".
"""

import pathlib
import re
import sys

# Not the whole checkout, because it may contain builds and data.
PLACES = [
    "bench", "cmake", "dialects", "docs", "examples", "include", "lib",
    "platforms", "runtime", "scripts", "test", "tools", "unittests",
    "CMakeLists.txt", "README.md",
]
HEADING = re.compile(r"^###? ([A-Z]+)-(\d+): ", re.M)
# Text between words of a comment at the end of a line.
BREAK = re.compile(r"[ \t]*\n[ \t]*(?:///?<?|\*|#|;)?[ \t]*")
# "SPEC XY-n", and the following items of a list.
LISTED = (r"\bSPEC [A-Z]+-\d+\b"
          r"(?:,? (?:and |to )?(?:SPEC )?[A-Z]+-\d+\b)*")


def get_files(tree):
    for place in PLACES:
        path = tree / place
        if not path.exists():
            sys.exit(f"formulas.py: expected {path}, got nothing there")
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in found:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file


def read_text(path):
    """The text of a file; "" of one that is none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def get_cited(text, families):
    """The labels that a text cites, as (family, number)."""
    text = BREAK.sub(" ", text)
    alone = rf"\b(?:{'|'.join(families)})-\d+\b"
    for listed in re.finditer(rf"{LISTED}|{alone}", text):
        for match in re.finditer(r"([A-Z]+)-(\d+)", listed[0]):
            family, number = match[1], int(match[2])
            to = re.compile(rf" to (?:SPEC )?{family}-(\d+)\b").match(
                text, listed.start() + match.end())
            for cited in range(number, int(to[1]) + 1 if to else number + 1):
                yield family, cited


def main():
    tree, *pages = map(pathlib.Path, sys.argv[1:])
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = [(family, int(number)) for family, number in HEADING.findall(text)]
    if not named:
        sys.exit("formulas.py: expected headings like '## XY-n: ...' in "
                 f"{', '.join(map(str, pages))}, found none")
    families = sorted({family for family, _ in named})

    cited = {}
    folder = tree / "docs/reference"
    own = {folder / "formulas.md", *folder.glob("formulas/*.md")}
    for file in get_files(tree):
        if file not in own:
            for label in get_cited(read_text(file), families):
                cited.setdefault(label, file.relative_to(tree).as_posix())

    errors = []

    def show(label):
        return f"{label[0]}-{label[1]}"

    for label in sorted(set(named)):
        if named.count(label) > 1:
            errors.append(f"{show(label)}: expected one entry, found "
                          f"{named.count(label)}")
        if label not in cited:
            errors.append(f"{show(label)}: expected a citation, found none")
    for label, file in sorted(cited.items()):
        if label not in named:
            errors.append(f"{show(label)}: expected an entry, found none; "
                          f"{file} cites it")
    for label in sorted(set(get_cited(text, families)) - set(named)):
        if label not in cited:
            errors.append(f"{show(label)}: expected an entry, found none; the "
                          "pages themselves cite it")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{len(named)} formulas, all cited")


if __name__ == "__main__":
    main()
