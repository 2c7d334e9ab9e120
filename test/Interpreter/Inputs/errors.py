#!/usr/bin/env python3
"""Checks that every public function of a program ends with the error above it.

usage: errors.py FILE [option of moe-run]...

Executes each function @some_name, which must end with exit code 2 and an error
that matches the checks SOME_NAME of FILE. A check without a function, and a
function without checks, are errors.
"""

import re
import subprocess
import sys

file, *options = sys.argv[1:]
text = open(file).read()
names = re.findall(r"^func\.func @(\w+)", text, re.M)
checks = {check.lower() for check in re.findall(r"^// ([A-Z_]+): ", text, re.M)}
checks.discard("run")
if not names or checks != set(names):
    sys.exit("errors.py: expected checks for each public function, got "
             f"{sorted(checks ^ set(names))} alone")
wrong = []
for name in names:
    done = subprocess.run(["moe-run", file, f"--entry={name}", *options],
                          capture_output=True, text=True)
    if done.returncode != 2:
        wrong.append(f"@{name}: expected exit code 2, got {done.returncode}\n"
                     f"{done.stdout}{done.stderr}")
        continue
    check = subprocess.run(["FileCheck", file,
                            f"--check-prefix={name.upper()}"],
                           input=done.stdout + done.stderr, text=True,
                           capture_output=True)
    if check.returncode != 0:
        wrong.append(f"@{name}: {check.stderr}")
if wrong:
    sys.exit("\n".join(wrong))
