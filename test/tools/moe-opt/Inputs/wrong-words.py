"""Passes an invalid value to every enum option of a pass; moe-opt must list the
valid values.

usage: wrong-words.py TREE
"""

import pathlib
import re
import subprocess
import sys

tree = pathlib.Path(sys.argv[1])
words = {}
for header in (tree / "include/moe").rglob("*.h"):
    for name, body in re.findall(r"struct EnumNames<(\w+)> \{(.*?)^\s*\};",
                                 header.read_text(), re.M | re.S):
        words[name] = re.findall(r'\{[\w:]+,\s*"(.*?)"', body)
tried = 0
for td in sorted((tree / "include/moe").rglob("*.td")):
    text = td.read_text()
    if "::llvm::cl::values(" in text:
        sys.exit(f"{td}: an option whose words no error names; EnumValues does")
    for argument, body in re.findall(
            r'^def \w+\s*:\s*MoEPass<"([\w-]+)".*?\{(.*?)^\}', text,
            re.M | re.S):
        for option in re.split(r"(?=\bOption<)", body)[1:]:
            kind = re.search(r"EnumValues<::moe::(\w+)>", option)
            if not kind:
                continue
            name = re.match(r'Option<"\w+",\s*"([\w-]+)"', option)[1]
            done = subprocess.run(
                ["moe-opt", "-", f"--{argument}={name}=no-such-word"],
                input="", capture_output=True, text=True)
            expected = (f"expected one of {', '.join(words[kind[1]])}, got "
                        "'no-such-word'")
            if done.returncode == 0 or expected not in done.stderr:
                sys.exit(f"--{argument}={name}: expected '{expected}', got\n"
                         f"{done.stderr}")
            tried += 1
print(f"{tried} options of passes say their words")
