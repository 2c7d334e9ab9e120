"""Checks that --all-layouts of moe-plan step finds what single layouts give.

usage: step_layouts.py PLATFORM CONFIG
"""

import json
import subprocess
import sys

COMMON = [f"--platform={sys.argv[1]}", f"--config={sys.argv[2]}", "--micro-batch=1",
          "--seq-len=1024", "--global-batch=16", "--parallelism=megatron", "--json"]


def ask(*words):
    run = subprocess.run(["moe-plan", "step", *COMMON, *words], capture_output=True,
                         text=True, check=False)
    if run.returncode:
        sys.exit(f"{words}: {run.stderr}")
    return json.loads(run.stdout)


answer = ask("--all-layouts", "--ranks=8", "--memory-gb=60", "--rows=1000")
layouts = answer["layouts"]
if answer["fitting"] != len(layouts) or len(layouts) < 5:
    sys.exit(f"expected all of at least 5 layouts, got {len(layouts)}")
steps = [layout["step_us"] for layout in layouts]
if steps != sorted(steps):
    sys.exit(f"expected the fastest first, got {steps}")
for layout in layouts:
    words = [f"--{key}={layout[key]}" for key in ("dp", "pp", "cp", "ep", "tp")]
    words += ["--compare"] + (["--fold-ep"] if layout["fold_ep"] else [])
    if layout["recomputes"]:
        continue
    alone = ask(*words)
    best = alone["alternatives"][0]
    if (best["dispatcher"], best["overlap"]) != (layout["dispatcher"], layout["overlap"]) \
            or abs(best["step_us"] / layout["step_us"] - 1) > 1e-9:
        sys.exit(f"expected {best} as for the layout alone, got {layout}")
fixed = ask("--all-layouts", "--ranks=8", "--memory-gb=60", "--ep=8")
if {layout["ep"] for layout in fixed["layouts"]} != {8}:
    sys.exit(f"--ep=8: expected only such layouts, got {fixed}")
print("layouts:", len(layouts))
