#!/usr/bin/env python3
"""Prints moe-sim's prediction of a training step in several variants, as JSON.

usage: step.py CONFIG PLATFORM IMPORT [--sim=OPTIONS] [KEY=VALUE...] FORM...

IMPORT has the options of `moe-translate --import-hf-config` in one argument. A
FORM is a strategy or a schedule of `moe-compile`. KEY=VALUE sets a key of the
platform's file, for example `levels.1.bandwidth_GBps`. VALUE is JSON, or `*F`,
F times the existing value. The platform differs in nothing else. OPTIONS are
further options of `moe-sim`.

For each FORM: `makespan_us`; `step_us` of a step of several stages, if `--sim`
asks for one; `streams`, busy us by name; `tasks`, us per layer of tasks by
direction and kind (`dense` for tasks outside of MoE layers); `longest`, us of
the longest task of a kind.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

STRATEGIES = ("baseline", "o1", "o2", "o3", "hierarchical", "auto")
PLATFORMS = pathlib.Path(__file__).resolve().parents[2] / "platforms"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"step.py: {' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def change(platform, key, value):
    *path, last = [int(part) if part.isdigit() else part
                   for part in key.split(".")]
    for part in path:
        platform = platform[part]
    if not value.startswith("*"):
        platform[last] = json.loads(value)
    elif isinstance(platform[last], (int, float)):
        platform[last] *= float(value[1:])
    else:
        sys.exit(f"step.py: {key}: expected a number to multiply, found "
                 f"{json.dumps(platform[last])}")


def summarize(simulated, trace, layers):
    """`simulated` and `trace` are outputs of moe-sim."""
    tasks, longest = {}, {}
    for event in trace["traceEvents"]:
        if event["ph"] != "X":
            continue
        kind = re.sub(r"\.\d+$", "", event["name"])
        of = event["args"]["phase"] if event["args"]["layer"] else "dense"
        name = f"{of} {kind}"
        tasks[name] = tasks.get(name, 0) + event["dur"] / layers
        longest[kind] = max(longest.get(kind, 0), event["dur"])
    step = {"step_us": simulated["stages"]["step_us"]
            } if "stages" in simulated else {}
    return step | {"makespan_us": simulated["makespan_us"],
            "streams": {stream["name"]: stream["busy_us"]
                        for stream in simulated["streams"]},
            "tasks": tasks, "longest": longest}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    config, name, options, *rest = sys.argv[1:]
    sim = [word for word in rest if word.startswith("--sim=")]
    rest = [word for word in rest if word not in sim]
    sim = [option for word in sim for option in word[6:].split()]
    settings = [word.split("=", 1) for word in rest if "=" in word]
    forms = [word for word in rest if "=" not in word]
    layers = re.search(r"--layers[= ](\d+)", options)
    if not layers:
        sys.exit("step.py: expected --layers in the options of the import")
    platform = json.loads((PLATFORMS / f"{name}.json").read_text())
    for key, value in settings:
        change(platform, key, value)
    answer = {}
    with tempfile.TemporaryDirectory() as folder:
        tmp = pathlib.Path(folder)
        (tmp / "platform.json").write_text(json.dumps(platform))
        run("moe-translate", "--import-hf-config", config, "--phase=train",
            *options.split(), "-o", tmp / "step.mlir")
        for form in forms:
            kind = "strategy" if form in STRATEGIES else "schedule"
            run("moe-opt", tmp / "step.mlir", "-o", tmp / "form.mlir",
                f"--moe-compile=platform={tmp}/platform.json {kind}={form} "
                "to=schedule")
            simulated = run("moe-sim", tmp / "form.mlir", "--json",
                            f"--trace={tmp}/trace.json", *sim)
            answer[form] = summarize(
                json.loads(simulated),
                json.loads((tmp / "trace.json").read_text()), int(layers[1]))
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
