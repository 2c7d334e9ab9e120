#!/usr/bin/env python3
"""Simulates torchtitan's ep_chunk_pass and ep_overlap_pass, and moe-mlir's choices.

usage: passes.py [--check PAGE] [PLATFORM...]

Prints a Markdown table for docs/how-to/pytorch.md. With --check, fails if a row is
not in PAGE. Tools are found through PATH.

torchtitan's passes cut all layers into two equal chunks, along the batch (`layers.*`)
or inside of the MoE layers (`layers.*.moe`), and order them by a fixed rule. Here the
chunks of MoE layers are launched in program order, which approximates this rule. The
chunks of the batch run through all layers without meeting between them, and moe-mlir may
swap their tasks if this saves time; both favor torchtitan's pass.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = ROOT / "examples" / "configs" / "qwen3-30b-a3b.json"
JOB = ["--phase=train", "--layers=2", "--ep=32", "--tp=1", "--routing=dropless"]
PLATFORMS = ("dgx-h100-measured", "dgx-b200-measured", "hgx-a100-measured")
TOKENS = ((2, 4096), (2, 512))  # sequences per rank, tokens per sequence
LOAD = "--moe-load-platform=file=PLATFORM"
PLANS = {
    "off": [LOAD, "--moe-schedule"],
    "`layers.*`": [LOAD, "--moe-split-batch=sub-batches=2",
                   "--moe-schedule=search-width=0"],
    "`layers.*.moe`": [LOAD, "--moe-pipeline=degree=2 scope=layer",
                       "--moe-schedule"],
    "same exchange": ["--moe-compile=to=schedule platform=PLATFORM "
                      "strategy=baseline sub-batches=auto"],
    "`moe-compile`": ["--moe-compile=to=schedule platform=PLATFORM"],
    "`sub-batches=auto`": ["--moe-compile=to=schedule platform=PLATFORM "
                           "sub-batches=auto"],
}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise SystemExit(f"passes.py: {' '.join(map(str, command))}:\n"
                         f"{done.stderr}")
    return done.stdout


def simulate(program, platform, passes, made):
    """Step time in ms."""
    run("moe-opt", program, *(one.replace("PLATFORM", platform) for one in passes),
        "-o", made)
    return json.loads(run("moe-sim", made, "--json"))["makespan_us"] / 1000


def main():
    words = sys.argv[1:]
    page = None
    if words[:1] == ["--check"]:
        page = pathlib.Path(words[1]).read_text()
        words = words[2:]
    print("| platform | tokens per rank | " + " | ".join(PLANS) + " |")
    print("|---" * (2 + len(PLANS)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "program.mlir"
        for platform in words or PLATFORMS:
            for batch, length in TOKENS:
                run("moe-translate", "--import-hf-config", CONFIG, *JOB,
                    f"--micro-batch={batch}", f"--seq-len={length}", "-o", program)
                times = [simulate(program, platform, plan, program.with_name("made"))
                         for plan in PLANS.values()]
                row = (f"| `{platform}` | {batch * length:,} | "
                       + " | ".join(f"{time:.2f}" for time in times) + " |")
                print(row, flush=True)
                if page is not None and row not in page:
                    raise SystemExit(f"passes.py: expected this row in {sys.argv[2]}")


main()
