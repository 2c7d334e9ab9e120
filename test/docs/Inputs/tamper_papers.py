"""Breaks a small table of papers in every way, and expects an error each time.

usage: tamper_papers.py TREE BUILD FOLDER
"""

import copy
import json
import pathlib
import re
import subprocess
import sys

TABLE = {
    "papers": [{"name": "One", "title": "A paper", "leaves_out": "All."}],
    "rows": [
        {"paper": "One", "place": "p. 1", "quantity": "two", "published": 2,
         "value": 'o["a number"]', "verdict": "equal", "label": "FS-1"},
        {"paper": "One", "place": "p. 2", "quantity": "a range",
         "published": [1, 3], "value": 'o["a number"]', "verdict": "equal"},
        {"paper": "One", "place": "p. 3", "quantity": "three", "published": 3,
         "value": 'o["a number"]', "verdict": "differs", "reason": "r"},
        {"paper": "One", "place": "p. 4", "quantity": "fit", "published": 2,
         "value": 'o["a number"]', "without": "1", "why": "one",
         "verdict": "fitted"},
        {"paper": "One", "place": "p. 5", "quantity": "none", "published": 2,
         "why": "no", "verdict": "not built"},
    ],
    "reasons": {"r": {"title": "Why", "text": "It is {0}.",
                      "shows": ['o["a number"]']}},
    "constants": [],
    "commands": {"a number": "echo 2"},
}

# The change: a path of keys, the new value (None removes it), and the expected
# message.
FAULTS = [
    (["rows", 0, "published"], 2.1, r"p\. 1, two: 'equal' of 2.1, but ours is 2"),
    (["rows", 0, "published"], "two", "'equal' of two, but ours is 2"),
    (["rows", 1, "published"], [3, 4], r"'equal' of \[3, 4\], but ours is 2"),
    (["rows", 2, "published"], 2, "'differs' of 2, but ours is 2"),
    (["rows", 2, "reason"], None, "expected why it is 'differs', found nothing"),
    (["rows", 2, "reason"], "s", "expected a reason 's', found none"),
    (["rows", 3, "without"], None, "expected the value without the fit"),
    (["rows", 3, "why"], None, "expected why it is 'fitted', found nothing"),
    (["rows", 4, "value"], "2", "expected no value of what is not built"),
    (["rows", 0, "value"], None, "expected a value of what is equal"),
    (["rows", 0, "verdict"], "so so", "expected a verdict of .* found 'so so'"),
    (["rows", 0, "label"], "FS-" + "99",
     "expected FS-9{2} in docs/reference/formulas.md"),
    (["commands", "a number"], "echo 2; exit 3", "'a number': exit code 3"),
    (["commands", "another"], "echo 3", "'another': expected a row that uses"),
]


def main():
    tree, build, folder = map(pathlib.Path, sys.argv[1:])

    def run(table, *options):
        (folder / "rows.json").write_text(json.dumps(table))
        done = subprocess.run(
            [sys.executable, tree / "bench/papers/papers.py", build,
             f"--rows={folder}/rows.json", f"--page={folder}/page.md", *options],
            capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    code, output = run(TABLE)
    if code != 0 or "5 rows, 1 commands" not in output:
        sys.exit(f"expected a page of the sound table, got {output}")
    count = 0
    for path, value, expected in FAULTS:
        table = copy.deepcopy(TABLE)
        place = table
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
        code, output = run(table, "--check")
        if code != 1 or not re.search(expected, output):
            sys.exit(f"{path} = {value}: expected '{expected}', got exit code "
                     f"{code}: {output}")
        count += 1
    # A value moves, within the tolerance.
    table = copy.deepcopy(TABLE)
    table["commands"]["a number"] = "echo 2.01"
    code, output = run(table, "--check")
    if code != 1 or "+| two: 2 | p. 1 | 2.010 |" not in output:
        sys.exit(f"expected the line that moved, got {code}: {output}")
    print(f"{count + 1} faults, all found")


if __name__ == "__main__":
    main()
