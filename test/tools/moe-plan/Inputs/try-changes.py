"""Runs `moe-plan memory` with each change that it says would make a job fit.

usage: try-changes.py ANSWER COMMAND...
"""

import re
import subprocess
import sys

with open(sys.argv[1]) as file:
    changes = re.findall(r"would fit with (--[^:]+): ([\d.]+) GB", file.read())
for option, gigabytes in changes:
    names = {word.split("=")[0] for word in option.split()}
    command = [word for word in sys.argv[2:]
               if word.split("=")[0] not in names] + option.split()
    answer = subprocess.run(command, capture_output=True, text=True,
                            check=True).stdout
    fits = re.search(r"^fits: ([\d.]+) GB", answer, re.M)
    if not fits or abs(float(fits[1]) - float(gigabytes)) > 0.051:
        sys.exit(f"{option}: expected to fit at {gigabytes} GB, got {answer}")
print(f"{len(changes)} changes fit")
