"""Checks the links, anchors and sizes of the pages.

usage: links.py TREE [--most-words=N]

Every relative link of a Markdown file must lead to a file or folder of the tree, and
its anchor to a heading or a named place there. Every page below docs/ except stubs must
be in the nav of docs/site/mkdocs.yml. Pages that are not generated have at most N
(2500) words outside of blocks of code. A page with commands to run is named by a test
in test/docs.
"""

import pathlib
import re
import sys

PLACES = ["*.md", "docs/**/*.md", "bench/**/*.md", "dialects/**/*.md",
          "examples/**/*.md", "runtime/**/*.md"]
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
GENERATED = re.compile(r"^<!-- Generated |^Written by `bench/", re.M)
# A part that a script writes into a page of text.
GENERATED_PART = re.compile(r"<!-- (\S+): begin -->.*?<!-- \1: end -->", re.S)
STUB = re.compile(r"This page moved to ")


def without_code(text):
    text = re.sub(r"^[ ]*```.*?^[ ]*```[ ]*$", "", text, flags=re.M | re.S)
    return re.sub(r"<!--.*?-->", "", text, flags=re.S)


def anchor(heading):
    """The anchor of a heading on a repository page and on the site."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]*>", "", text).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def get_anchors(text):
    text = without_code(text)
    found, counts = set(re.findall(r'<a (?:name|id)="([^"]+)"', text)), {}
    for heading in re.findall(r"^#+ (.+?) *#*$", text, re.M):
        name = anchor(heading)
        seen = counts[name] = counts.get(name, -1) + 1
        found.add(f"{name}-{seen}" if seen else name)
    return found


def main():
    tree = pathlib.Path(sys.argv[1]).resolve()
    most = 2500
    for option in sys.argv[2:]:
        most = int(option.removeprefix("--most-words="))
    files = sorted({path for place in PLACES for path in tree.glob(place)})
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    anchors = {path: get_anchors(text) for path, text in texts.items()}
    nav_file = tree / "docs/site/mkdocs.yml"
    nav = nav_file.read_text().partition("\nnav:\n")[2]
    nav = set(re.findall(r"^ *- (?:[^#\n]*: )?([\w/.-]+\.md)$", nav, re.M))
    tests = "".join(test.read_text() for test in tree.glob("test/docs/**/*.test"))
    errors, links = [], 0
    for path, text in texts.items():
        name = path.relative_to(tree).as_posix()
        prose = re.sub(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)",
                       lambda match: match[0] if "](" in match[0] else "`code`",
                       without_code(text))
        for link in LINK.findall(prose):
            if re.match(r"[a-z]+:|<|mlir::", link):
                continue
            links += 1
            target, _, place = link.partition("#")
            file = (path.parent / target).resolve() if target else path
            if not file.exists():
                errors.append(f"{name}: expected {target}, found none")
            elif place and place not in anchors.get(file, get_anchors("")):
                errors.append(f"{name}: expected #{place} in "
                              f"{file.relative_to(tree).as_posix()}, found none")
        if not name.startswith("docs/") or STUB.match(text):
            continue
        if name.removeprefix("docs/") not in nav:
            errors.append(f"{name}: expected it in the nav of docs/site/mkdocs.yml")
        # An installed tree has no tests.
        if tests and "<!-- run" in text and f"/{name} " not in tests:
            errors.append(f"{name}: expected a test in test/docs that runs it, found none")
        words = len(without_code(GENERATED_PART.sub("", text)).split())
        if not GENERATED.search(text) and words > most:
            errors.append(f"{name}: expected at most {most} words, got {words}")
    print("\n".join(errors))
    print(f"{len(files)} pages, {links} links, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
