"""Writes the text of sections of pages, as a reader sees it.

usage: ask.py NAME=PAGE.html SECTION ["choose(PLACE)" | "slide(PLACE)"]... ...

writes NAME.txt, and so on. Before, it selects entries of the section's list, or
moves its slider, in the given order.
"""

import pathlib
import re
import sys

from browser import Page

MOVE = """((section, kind, place) => {
  const input = document.getElementById(section).querySelector(kind);
  if (kind === 'select') {
    input.selectedIndex = place;
    input.dispatchEvent(new Event('change'));
  } else {
    input.value = place;
    input.dispatchEvent(new Event('input'));
  }
})"""
KINDS = {"choose": "select", "slide": "input[type=range]"}

questions = []
for argument in sys.argv[1:]:
    name, is_page, path = argument.partition("=")
    if is_page:
        questions.append((name, path, []))
    else:
        questions[-1][2].append(argument)

with Page(questions[0][1]) as page:
    for name, path, (section, *moves) in questions:
        page.open(path)
        for move in moves:
            what, place = re.fullmatch(r"(choose|slide)\((\d+)\)", move).groups()
            page.evaluate(f"{MOVE}('{section}', '{KINDS[what]}', {place})")
        text = page.evaluate(f"document.getElementById('{section}').innerText")
        pathlib.Path(f"{name}.txt").write_text(
            "\n".join([text, *page.messages]) + "\n")
