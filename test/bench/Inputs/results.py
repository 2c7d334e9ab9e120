"""Lists scripts without a row in bench/results/README.md, and rows without
files.

  results.py SOURCES

Each page must have a row with the command that wrote it, and its script must
exist.
"""
import pathlib
import re
import sys

sources = pathlib.Path(sys.argv[1])
results = sources / "bench/results"
text = (results / "README.md").read_text()
named = set(re.findall(r"\]\(([\w.-]+)\)", text))
there = {path.name for path in results.iterdir()} - {"README.md"}
problems = [f"{name}: expected a row, found none" for name in there - named]
problems += [f"{name}: expected a page, found none" for name in named - there]
for row in re.findall(r"^\| \[.*", text, re.MULTILINE):
    scripts = re.findall(r"(?:runtime/)?(?:bench|test)/[\w/.-]+\.(?:py|sh)", row)
    if not scripts and "moe-bench-fsmoe" not in row:
        problems.append(f"expected a script in {row}")
    problems += [f"{script}: expected a script, found none"
                 for script in scripts if not (sources / script).is_file()]
print("\n".join(sorted(problems)) or f"{len(there)} results, each with its command")
sys.exit(bool(problems))
