"""Checks that a page holds a JSON, byte for byte, and nothing that could load
or run anything else; prints its findings.

usage: check_page.py PAGE.html [JSON]
"""

import base64
import hashlib
import html.parser
import json
import re
import sys


class Reader(html.parser.HTMLParser):
    """Collects the texts of scripts and styles, and every attribute."""

    def __init__(self):
        super().__init__()
        self.texts = {"script": [], "style": []}
        self.attributes = []
        self.open = None

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, *one) for one in attributes]
        if tag in self.texts:
            self.open = tag
            self.texts[tag].append("")

    def handle_endtag(self, tag):
        if tag == self.open:
            self.open = None

    def handle_data(self, text):
        if self.open:
            self.texts[self.open][-1] += text


page = open(sys.argv[1], encoding="utf-8", newline="").read()
reader = Reader()
reader.feed(page)
data, script = reader.texts["script"]
[style] = reader.texts["style"]
if len(sys.argv) > 2:
    print("equal:", data.lstrip("\n")
          == open(sys.argv[2], encoding="utf-8", newline="").read())
json.loads(data)

policy = {}
for tag, name, value in reader.attributes:
    if tag == "meta" and name == "content" and "default-src" in value:
        for rule in value.split("; "):
            what, *allowed = rule.split()
            policy[what] = " ".join(allowed)
    if name.startswith("on") or name in ("src", "srcset", "action", "style"):
        print("not expected:", tag, name, value)
    if name == "href" and not value.startswith("#"):
        print("not expected:", tag, name, value)


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


print("policy:", policy.pop("script-src") == f"'sha256-{digest(script)}'",
      policy.pop("style-src") == f"'sha256-{digest(style)}'", policy)
# No function that turns text into markup or code.
for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
             "eval(", "Function(", "import(", "fetch(", "XMLHttpRequest"]:
    if word in script:
        print("not expected in the script:", word)
# Namespaces are only names; nothing is loaded from there.
print("addresses:", sorted(set(re.findall(r"https?://[^'\"]+", script + style))))
