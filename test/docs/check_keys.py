#!/usr/bin/env python3
"""Checks that a page names every key of some JSON answers.

usage: check_keys.py PAGE JSON...
"""

import json
import pathlib
import sys


def keys(value):
    if isinstance(value, dict):
        for key, nested in value.items():
            yield key
            # docs/reference/platform-file.md has the keys of a platform; metrics are
            # named by passes.
            if key not in ("machine", "metrics"):
                yield from keys(nested)
    elif isinstance(value, list):
        for nested in value:
            yield from keys(nested)


page, *answers = map(pathlib.Path, sys.argv[1:])
text = page.read_text()
found = {key for answer in answers for key in keys(json.loads(answer.read_text()))}
missing = sorted(key for key in found if f"`{key}`" not in text)
if missing:
    sys.exit(f"check_keys.py: expected {page} to say what these keys are: "
             + ", ".join(missing))
print(f"{len(found)} keys")
