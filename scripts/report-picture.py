#!/usr/bin/env python3
"""Makes docs/pictures/report.png, and checks that it still shows today's page.

usage: report-picture.py make BIN FOLDER         page.html and page.json
       report-picture.py draw FOLDER             the picture and its source, from these
       report-picture.py check FOLDER [SOURCE]   compares page.json with the source

BIN holds moe-translate, moe-opt and moe-sim. The page compares a training step in the
best schedule with Megatron's, for four layers of Mixtral 8x7B with sequence
parallelism. The source, docs/pictures/report.source.json, lists the commands, the
numbers that the page shows, and its sentences without numbers. `check` compares the
sentences only if Chromium is installed. `draw` requires Chromium. scripts/pictures.sh
runs `make` and `draw`.
"""

import hashlib
import json
import math
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/report.png"
SOURCE = ROOT / "docs/pictures/report.source.json"
RENEW = "run scripts/pictures.sh BIN, where BIN holds moe-sim, and commit docs/pictures"
WIDTH = 900

PLATFORM = "dgx-h100"
COMMANDS = [
    ["moe-translate", "--import-hf-config", "examples/configs/mixtral-8x7b.json",
     "--phase", "train", "--layers", "4", "--dp", "2", "--ep", "8", "--tp", "4",
     "--sequence-parallel", "--micro-batch", "1", "--seq-len", "4096",
     "-o", "step.mlir"],
    ["moe-opt", "step.mlir", "-o", "step-megatron.mlir",
     f"--moe-compile=to=schedule platform={PLATFORM} schedule=megatron"],
    ["moe-opt", "step.mlir", "-o", "step-best.mlir",
     f"--moe-compile=to=schedule platform={PLATFORM} schedule=best",
     "--remarks-filter=moe.*", "--remark-format=yaml",
     "--remarks-output-file=step-best.yaml"],
    ["moe-sim", "step-best.mlir", f"--platform={PLATFORM}",
     "--baseline=step-megatron.mlir", "--remarks=step-best.yaml", "--json",
     "--report=page.html"],
]

# Keys of moe-sim's JSON that the picture shows. Other machines may round differently,
# so that floating-point numbers may differ by this fraction.
NUMBERS = ["platform", "ranks", "tasks", "makespan_us", "lower_bound_us", "peak_bytes",
           "tokens_per_s", "mfu", "baseline_us", "speedup"]
TOLERANCE = 1e-3


def make(binaries, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for command in COMMANDS:
        arguments = [str(ROOT / argument) if argument.startswith("examples/")
                     else argument for argument in command[1:]]
        with open(folder / "page.json", "w") as out:
            subprocess.run([binaries / command[0], *arguments], cwd=folder, check=True,
                           stdout=out)


def open_page(folder):
    sys.path.insert(0, str(ROOT / "test/report/Inputs"))
    from browser import Page
    return Page(folder / "page.html", width=WIDTH)


def read_sentences(page):
    """The text of the picture, with N for each number."""
    text = page.evaluate("""document.querySelector('h1').innerText + '\\n' +
        document.getElementById('totals').innerText""")
    lines = [re.sub(r"\d[\d,.]*(e[+-]?\d+)?", "N", line) for line in text.split("\n")]
    return [line for line in lines if line]


def read_numbers(folder):
    answer = json.loads((folder / "page.json").read_text())
    return {name: answer[name] for name in NUMBERS}


def list_commands():
    return [shlex.join(command) for command in COMMANDS]


def hash_picture():
    return hashlib.sha256(PICTURE.read_bytes()).hexdigest()


def draw(folder):
    with open_page(folder) as page:
        sentences = read_sentences(page)
        page.evaluate("document.documentElement.style.overflow = 'hidden'")
        end = page.evaluate("document.querySelector('canvas').getBoundingClientRect()"
                            ".bottom")
        page.resize(WIDTH, math.ceil(end) + 2)
        page.screenshot(PICTURE)
    SOURCE.write_text(json.dumps({
        "commands": list_commands(),
        "numbers": read_numbers(folder),
        "sentences": sentences,
        "sha256": hash_picture(),
    }, indent=2) + "\n")


def find_differences(folder, source):
    if source["commands"] != list_commands():
        yield "the commands in scripts/report-picture.py are not the listed ones"
    if source["sha256"] != hash_picture():
        yield "the picture has another checksum than the listed one"
    for name, got in read_numbers(folder).items():
        expected = source["numbers"][name]
        same = (math.isclose(expected, got, rel_tol=TOLERANCE)
                if isinstance(got, float) else expected == got)
        if not same:
            yield f"expected {name} {expected} as listed, got {got}"
    if shutil.which("chromium"):
        with open_page(folder) as page:
            got = read_sentences(page)
        for line in source["sentences"]:
            if line not in got:
                yield f"expected the sentence '{line}' as listed, got none"


def check(folder, path):
    errors = list(find_differences(folder, json.loads(path.read_text())))
    if errors:
        sys.exit("\n".join([f"docs/pictures/report.png is stale; {path.name} lists its "
                            "source", *errors, RENEW]))
    print("report.png shows today's page")


def main(arguments):
    match arguments:
        case ["make", binaries, folder]:
            make(pathlib.Path(binaries).resolve(), pathlib.Path(folder))
        case ["draw", folder]:
            draw(pathlib.Path(folder))
        case ["check", folder]:
            check(pathlib.Path(folder), SOURCE)
        case ["check", folder, source]:
            check(pathlib.Path(folder), pathlib.Path(source))
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
