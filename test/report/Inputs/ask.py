"""Prints what a section of a page says, as a reader sees it.

usage: ask.py PAGE.html SECTION ["choose(PLACE)" | "slide(PLACE)"]...

Before, one after the other, a thing of the section's list is chosen, or its
slider moved to a place.
"""

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

with Page(sys.argv[1]) as page:
    section = sys.argv[2]
    for move in sys.argv[3:]:
        what, place = re.fullmatch(r"(choose|slide)\((\d+)\)", move).groups()
        page.evaluate(f"{MOVE}('{section}', '{KINDS[what]}', {place})")
    print(page.evaluate(f"document.getElementById('{section}').innerText"))
    print(*page.messages, sep="\n")
