"""Prints what a section of a page says, as a reader sees it.

usage: ask.py PAGE.html SECTION ["slide(PLACE)"]

With the third the section's slider is moved to a place before.
"""

import sys

from browser import Page

SLIDE = """(place => {
  const input = document.querySelector('#%s input[type=range]');
  input.value = place;
  input.dispatchEvent(new Event('input'));
})"""

with Page(sys.argv[1]) as page:
    section = sys.argv[2]
    if len(sys.argv) > 3:
        place = sys.argv[3].removeprefix("slide(").removesuffix(")")
        page.evaluate(f"{SLIDE % section}({int(place)})")
    print(page.evaluate(f"document.getElementById('{section}').innerText"))
    print(*page.messages, sep="\n")
