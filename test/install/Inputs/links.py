"""Says which relative links of the pages under a folder lead nowhere.

usage: links.py FOLDER
"""

import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
links, missing = 0, 0
for page in sorted(folder.rglob("*.md")):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if target.startswith(("http:", "https:")):
            continue
        links += 1
        if not (page.parent / target).exists():
            missing += 1
            print(f"{page.relative_to(folder)}: {target} leads nowhere")
print(f"{links} links, {missing} lead nowhere")
