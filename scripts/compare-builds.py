#!/usr/bin/env python3
"""Compares two builds of the tools on the whole corpus.

usage: compare-builds.py OLD_BIN NEW_BIN [--jobs=N] [--only=TEXT]
                         [--run-with=BIN]

OLD_BIN and NEW_BIN are folders with the executables of two builds. Compares
their output for

- every function of the modules of tests and examples: `moe-run` on the
  interpreter and on host, which print a checksum of each rank's results;
- small copies of all models in examples/configs, forward and training, compiled
  with all strategies, degrees and schedules: the predictions of `moe-sim`, and
  the checksums on host.

Inputs that the old build rejects are counted, but not compared. The exit code
is 1 if anything differs.

If a change of the kernels changed values on purpose, --run-with executes the
programs of both compilers with the moe-run of one build, and compares only
their values on host.
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLATFORMS = {"a800-2x8": (2, 8), "dgx-h100": (8, 4)}
STRATEGIES = ["strategy=baseline degree=1", "strategy=o1 degree=1",
              "strategy=o2 degree=2", "strategy=o3 degree=4",
              "strategy=hierarchical degree=1"]
SCHEDULES = ["deepspeed", "megatron", "tutel", "tutel-improved", "lina",
             "fsmoe-no-iio", "fsmoe"]


def run(folder, tool, *arguments, text=None):
    """Exit code and standard output of a tool; None for one that hangs."""
    try:
        done = subprocess.run([folder / tool, *map(str, arguments)],
                              input=text, capture_output=True, text=True,
                              timeout=120, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def list_modules():
    """(name, text) of the modules of tests and examples, split as lit does."""
    for folder in ("test", "examples", "docs"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            parts = re.split(r"^// -----.*$", path.read_text(), flags=re.M)
            for i, part in enumerate(parts):
                if "func.func" in part:
                    yield f"{path.relative_to(ROOT)}#{i}", part


def compare_module(old, new, name, text):
    outcomes = []
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        entries = re.findall(r"func\.func @([\w.$-]+)", text)
        for entry, backend in itertools.product(entries, ("interp", "host")):
            arguments = ("moe-run", file.name, f"--entry={entry}",
                         f"--backend={backend}")
            what = f"{name} @{entry} {backend}"
            before = run(old, *arguments)
            if before[0] != 0:
                outcomes.append((what, "refused"))
                continue
            after = run(new, *arguments)
            outcomes.append((what, "equal" if after == before
                             else f"{before} against {after}"))
    return outcomes


def compile_with(folder, plain, options):
    code, text = run(folder, "moe-opt", "-", f"--moe-compile={options}",
                     text=plain)
    return text if code == 0 else None


def compare_step(old, new, runner, config, phase, platform):
    ep, tp = PLATFORMS[platform]
    arguments = ["moe-translate", "--import-hf-config", config, f"--ep={ep}",
                 f"--tp={tp}", "--micro-batch=1", "--seq-len=64", "--layers=2",
                 "--hidden-size=64", "--expert-ffn-size=64",
                 f"--phase={phase}"]
    before, after = run(old, *arguments), run(new, *arguments)
    name = f"{config.stem} {phase} {platform}"
    if before[0] != 0:
        return [(name, "refused")]
    outcomes = [(f"{name} import",
                 "equal" if before == after else "modules differ")]
    ways = STRATEGIES + [f"schedule={s}" for s in SCHEDULES
                         if phase == "train"]
    for way in ways:
        options = f"to=schedule platform=platforms/{platform}.json {way}"
        old_module = compile_with(old, before[1], options)
        if old_module is None:
            outcomes.append((f"{name} {way}", "refused"))
            continue
        new_module = compile_with(new, after[1], options)
        if new_module is None:
            outcomes.append((f"{name} {way}", "refused by the new build"))
            continue
        results = []
        for folder, module in ((old, old_module), (new, new_module)):
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(module)
                file.flush()
                outputs = {"host": run(runner or folder, "moe-run", file.name,
                                       "--backend=host")}
                if not runner:
                    outputs["moe-sim"] = run(
                        folder, "moe-sim", file.name,
                        f"--platform=platforms/{platform}.json")
                results.append(outputs)
        for what, left in results[0].items():
            right = results[1][what]
            outcomes.append((f"{name} {way} {what}",
                             "equal" if left == right
                             else f"{left} against {right}"))
    return outcomes


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--run-with", type=pathlib.Path)
    options = parser.parse_args()
    builds = options.old.resolve(), options.new.resolve()
    runner = options.run_with and options.run_with.resolve()
    work = [(compare_module, name, text) for name, text in list_modules()
            if not runner]
    work += [(compare_step, runner, config, phase, platform)
             for config in sorted((ROOT / "examples/configs").glob("*.json"))
             for phase in ("fwd", "train") for platform in PLATFORMS]
    work = [item for item in work if options.only in str(item[1:])]
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(item[0], *builds, *item[1:]) for item in work]
        for future in futures:
            for name, outcome in future.result():
                kind = outcome if outcome in ("equal", "refused") else "differs"
                counts[kind] = counts.get(kind, 0) + 1
                if kind == "differs":
                    print(f"{name}: {outcome}", flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in counts.items()))
    sys.exit(1 if counts.get("differs") or not counts.get("equal") else 0)


main()
