"""Prints what a section of a page says, as a reader sees it.

usage: ask.py PAGE.html SECTION
"""

import sys

from browser import Page

with Page(sys.argv[1]) as page:
    print(page.evaluate(f"document.getElementById('{sys.argv[2]}').innerText"))
    print(*page.messages, sep="\n")
