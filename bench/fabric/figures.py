#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mFabric's figures of simulated clusters, and what the paper says of them.

usage: figures.py [--tools=DIR] [--quick] FOLDER

Writes a CSV for each figure to FOLDER, and `relations.md`: each published
relation beside ours, with a verdict. Steps are those of `moe-plan job`; nothing
is measured, and nothing was fitted to the paper. --quick leaves out clusters
beyond 4096 GPUs.
"""

import argparse
import csv
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# SPEC MF-19: performance per dollar over a fat tree, by rate.
PER_DOLLAR = {100: (1.2, 1.5), 200: (1.4, 1.8), 400: (2.0, 2.3),
              800: (2.0, 2.4)}
OVER_TOPOOPT = {"mixtral-8x22b": 1.5, "mixtral-8x7b": 1.4, "llama-moe": 2.1}


def job(folder, name, *options):
    """Rows of a run of moe-plan job, as dictionaries."""
    path = folder / f"{name}.csv"
    done = subprocess.run(["moe-plan", "job", f"--csv={path}", *options],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"figures.py: {done.stderr}")
    rows = list(csv.DictReader(path.open()))
    for row in rows:
        for key, value in row.items():
            try:
                row[key] = float(value)
            except ValueError:
                pass
    return rows


def step(rows, fabric, **keys):
    """The step of the row with a fabric and such keys."""
    for row in rows:
        if row["fabric"] == fabric and all(row[k] == v
                                           for k, v in keys.items()):
            return row["step_ms"]
    raise KeyError((fabric, keys))


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=pathlib.Path,
                        default=ROOT / "build/release/bin")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    os.environ["PATH"] = f"{arguments.tools}:{os.environ['PATH']}"
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    relations = []

    def add(place, what, published, ours, holds):
        relations.append((place, what, published, ours,
                          "holds" if holds else "differs"))

    # Figs 15 and 16: four models, four rates, five fabrics.
    rows = job(folder, "fig15-16", "--rate-gbps=100,200,400,800",
               "--fabric=fat-tree,rail,topoopt,mfabric,torus")
    models = list(dict.fromkeys(row["model"] for row in rows))
    for model in models:
        own = [row for row in rows if row["model"] == model]
        ratios = [step(own, "topoopt", rate_gbps=rate) /
                  step(own, "mfabric", rate_gbps=rate)
                  for rate in PER_DOLLAR]
        published = OVER_TOPOOPT.get(model)
        if published:
            add("7.3", f"{model}: over TopoOpt, mean of four rates",
                f"{published}", f"{mean(ratios):.2f}",
                abs(mean(ratios) / published - 1) <= .15)
        for rate, (low, high) in PER_DOLLAR.items():
            row = [row for row in own if row["fabric"] == "mfabric"
                   and row["rate_gbps"] == rate][0]
            value = row["performance_per_dollar"]
            add("7.4", f"{model}, {rate} Gb/s: performance per dollar over a "
                "fat tree", f"{low}-{high}", f"{value:.2f} (speed "
                f"{row['speed_of_fat_tree']:.3f})",
                low - .05 <= value <= high + .05)
        rail = max(abs(step(own, "rail", rate_gbps=rate) /
                       step(own, "fat-tree", rate_gbps=rate) - 1)
                   for rate in PER_DOLLAR)
        add("7.3", f"{model}: rails beside the fat tree", "close",
            f"within {100 * rail:.1f} %", rail <= .05)

    # Fig. 17: more optical NICs are faster, at one price.
    rows = job(folder, "fig17", "--model=mixtral-8x22b", "--rate-gbps=100",
               "--fabric=mfabric", "--optical-nics=1,2,3,4,5,6,7")
    steps = [row["step_ms"] for row in rows]
    add("7.5", "8x22B at 100 Gb/s: the step falls with the optical degree "
        "(NICs of one rate here)", "monotone",
        ", ".join(f"{value:.0f}" for value in steps) + " ms",
        all(a >= b for a, b in zip(steps, steps[1:])))

    # Fig. 18: to 32768 GPUs, beside rails of the same price.
    sizes = [1024, 4096] if arguments.quick else \
        [1024, 2048, 4096, 8192, 16384, 32768]
    rows = job(folder, "fig18", "--model=mixtral-8x7b", "--rate-gbps=100",
               "--fabric=rail,mfabric", "--cost-equivalent",
               "--gpus=" + ",".join(map(str, sizes)))
    ratios = [step(rows, "rail", gpus=size) / step(rows, "mfabric", gpus=size)
              for size in sizes]
    add("7.5", f"8x7B at 100 Gb/s, {sizes[0]} to {sizes[-1]} GPUs: over rails "
        "of the same price", "1.8", f"{mean(ratios):.2f}",
        abs(mean(ratios) / 1.8 - 1) <= .15)

    # How long a change may take.
    rows = job(folder, "delays", "--fabric=mfabric", "--rate-gbps=100",
               "--reconfiguration-us=0,10,1000,10000,25000,100000,1000000")
    for model in models:
        steps = [row["step_ms"] for row in rows if row["model"] == model]
        add("own", f"{model}: steps by delay, 0 to 1 s", "rising",
            ", ".join(f"{value:.0f}" for value in steps) + " ms",
            all(a <= b * (1 + 1e-9) for a, b in zip(steps, steps[1:])))

    lines = ["# mFabric's relations beside ours", "",
             "`bench/fabric/figures.py`; CSV files beside this page.", "",
             "| section | what | published | ours | |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in relations]
    (folder / "relations.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
