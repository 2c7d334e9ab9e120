#!/usr/bin/env python3
"""Compares predictions with published measurements.

Asks our planners for each row of points.json, which holds published
measurements with their sources, and prints predicted and published values: by
kind with median and spread, the order of the rows of a table, the rows from
which a platform was made, and the rows that cannot be asked, with the reason.

  bench/accuracy/accuracy.py                      the tables
  bench/accuracy/accuracy.py --rows=qwen3         only rows with this in their id
  bench/accuracy/accuracy.py --by=sweep           asks moe-plan sweep for the steps, which
                                                  gives the same answers
  bench/accuracy/accuracy.py --by=programs --platform=dgx-h100
                                                  the answers of moe-plan sweep --compiled
  bench/accuracy/accuracy.py --write docs/concepts/accuracy.md
                                                  replaces the page's tables
  bench/accuracy/accuracy.py --check docs/concepts/accuracy.md
                                                  exit code 1 if the page differs

MOE_PLAN names moe-plan (default: build/ci/bin/moe-plan).
"""

import argparse
import json
import math
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BEGIN, END = "<!-- accuracy.py: begin -->\n", "<!-- accuracy.py: end -->\n"

# Rows are asked on the measured platform of their GPU and network.
PLATFORMS = {
    ("H100", None): "dgx-h100-measured",
    ("H100", "efa"): "p5-h100-measured",
    ("H200", None): "dgx-h200-measured",
    ("H800", None): "dgx-h800-measured",
    ("B200", None): "dgx-b200-measured",
    ("B300", None): "dgx-b300-measured",
    ("GB200", None): "gb200-nvl72-measured",
    ("GB300", None): "gb300-nvl72-measured",
}

HOPPER = {"H100", "H200", "H800"}

# Keys of a job that moe-plan sweep --compiled accepts; it chooses the rest.
PROGRAM_KEYS = {
    "config", "ranks", "tp", "pp", "ep", "cp", "virtual-stages", "fold-ep",
    "global-batch", "micro-batch", "seq-len", "parallelism", "zero", "layers",
}
# The work of a fused layer of experts on one rank, after the router's product.
EXPERT_LAYER = {("router", "memory-bound kernels"), ("permutation", "memory-bound kernels"),
                ("experts", "products"), ("experts' activation", "memory-bound kernels")}
# Defaults of moe-plan step for these.
STEP_DEFAULTS = {"tp": 1, "pp": 1, "ep": 1, "cp": 1, "fold-ep": "false",
                 "recompute": "none"}


class CannotAsk(Exception):
    """A row has no answer, for this reason."""


def find_config(name):
    path = HERE / name if "/" in name else ROOT / "examples/configs" / f"{name}.json"
    return os.path.relpath(path, ROOT)


def get_command(row, arguments):
    """The arguments of moe-plan that ask for a row."""
    if not row["job"]:
        raise CannotAsk(row["cannot"])
    job = dict(row["job"])
    platform = arguments.platform or PLATFORMS.get((row["gpu"], row.get("network")))
    if not platform and row["kind"] != "memory":
        raise CannotAsk(f"no measured platform of {row['gpu']} ships")
    planner = {"step": "step", "layer": "step", "memory": "memory", "collective": "collective",
               "gemm": "gemm", "expert layer": "step",
               "dispatch": "dispatch-kernel"}[row["kind"]]
    if arguments.by != "planners":
        if row["kind"] != "step":
            raise CannotAsk("moe-plan sweep only predicts steps")
        planner = "sweep"
        job["memory-gb"] = 2000
        if arguments.by == "programs":
            job = {k: v for k, v in job.items() if k in PROGRAM_KEYS | {"memory-gb"}}
            job["compiled"] = True
        elif "pipeline-layout" in job:
            raise CannotAsk("moe-plan sweep cuts the model itself")
        else:
            job = {**STEP_DEFAULTS, **job}
    words = [planner, "--json"]
    if row["kind"] != "memory":
        words.append(f"--platform={platform}")
    for key, value in job.items():
        if key == "config":
            value = find_config(value)
        words.append(f"--{key}" if value is True else f"--{key}={value}")
    return words


def ask(row, arguments):
    if arguments.by != "programs" and "cannot" in row:
        raise CannotAsk(row["cannot"])
    moe_plan = os.environ.get("MOE_PLAN", str(ROOT / "build/ci/bin/moe-plan"))
    run = subprocess.run([moe_plan, *get_command(row, arguments)], cwd=ROOT,
                         capture_output=True, text=True, check=False)
    if run.returncode == 1:
        raise CannotAsk("no layout that the planner knows")
    if run.returncode != 0:
        raise CannotAsk(run.stderr.strip().splitlines()[-1].replace(
            "moe-plan: error: ", ""))
    return json.loads(run.stdout)


def get_step(row, answer):
    """Step time in s, and utilization in %."""
    if "layouts" in answer:
        layout = answer["layouts"][0]
        return layout["step_us"] / 1e6, 100 * layout["mfu"]
    return answer["step_us"] / 1e6, 100 * answer["mfu"]


def get_expert_layer_us(answer):
    return sum(part["forward_us"] for part in answer["moe_layer"]["parts"]
               if (part["name"], part["kind"]) in EXPERT_LAYER)


def get_ratios(row, answer):
    """Predicted over published times, each with the prediction in the published
    unit."""
    published = row["published"]
    unit = row["unit"]
    if row["kind"] == "step":
        seconds, mfu = get_step(row, answer)
        job = row["job"]
        if unit == "s":
            return [(seconds / published, seconds)]
        if unit == "MFU %":
            return [(published / mfu, mfu)]
        rate = job["global-batch"] * job["seq-len"] / seconds / job["ranks"]
        return [(published / rate, rate)]
    if row["kind"] == "memory":
        rank = answer["per_rank"]
        # For the fullest rank, unless the row is about a stage.
        of = rank["as_configured"] if "stage" not in row else \
            rank["stages"][{"first": 0, "last": -1}[row["stage"]]]
        size = of["total_bytes"] / (1e9 if unit == "GB" else 2 ** 30)
        return [(size / published, size)]
    if row["kind"] == "layer":
        layer = answer["moe_layer"]
        both = [layer["forward_us"] / 1e3, layer["backward_us"] / 1e3]
        return [(p / q, p) for p, q in zip(both, published)]
    if row["kind"] == "expert layer":
        us = get_expert_layer_us(answer)
        return [(us / published, us)]
    if row["kind"] == "dispatch":
        if unit.startswith("us"):
            both = [answer["dispatch_us"], answer["combine_us"]]
            return [(p / q, p) for p, q in zip(both, published)]
        both = [answer["dispatch_GBps"], answer["combine_GBps"]]
        if "busbw" in unit:
            # Without the traffic inside a node; rows have 16-bit elements in
            # both directions.
            size = answer["bytes_between_nodes"] / 1e3
            both = [size / answer["dispatch_us"], size / answer["combine_us"]]
        return [(q / p, p) for p, q in zip(both, published)]
    if unit == "TFLOP/s":
        return [(published / answer["tflops"], answer["tflops"])]
    if unit == "GB/s busbw":
        return [(published / answer["busbw_GBps"], answer["busbw_GBps"])]
    return [(answer["time_us"] / published, answer["time_us"])]


def get_parts(row):
    """The published figures of a row, each with its kind."""
    published = row["published"]
    if not isinstance(published, list):
        return [(row["kind"], published)]
    names = ("forward", "backward") if row["kind"] == "layer" else ("dispatch", "combine")
    return [(name if name != row["kind"] else row["kind"], value)
            for name, value in zip(names, published)]


def spread(ratios):
    return math.exp(median(abs(math.log(r)) for r in ratios))


def format_number(value):
    return f"{value:.4g}" if value < 10000 else f"{value:.0f}"


def count_pairs(rows):
    """Counts the pairs of a table whose measurements differ by more than 5 %,
    in the right and in the wrong order. If all rows of the table do the same
    work, times follow from ratios."""
    right = wrong = 0
    wrong_pairs = []
    for (a, at, ar), (b, bt, br) in combinations(rows, 2):
        if abs(math.log(at / bt)) <= math.log(1.05):
            continue
        if (math.log(at / bt) > 0) == (math.log(at * ar / (bt * br)) > 0):
            right += 1
        else:
            wrong += 1
            wrong_pairs.append(f"{a} / {b}")
    return right, wrong, wrong_pairs


def get_time(row, published):
    """A published value as a time for the order of a table, up to a factor."""
    unit = row["unit"]
    is_rate = unit.startswith("tokens") or unit.startswith("MFU") or \
        unit.startswith("GB/s") or unit == "TFLOP/s"
    return 1 / published if is_rate else published


def name_kind(row, part):
    """The kind of a row's value, for the table by kind."""
    kind = row["kind"]
    if "precision" in row["job"]:
        kind += " in 8 bits"
    if row["kind"] == "step":
        kind += " on Hopper" if row["gpu"] in HOPPER else " on Blackwell"
        if "full-iteration-graph" in row["job"]:
            kind += ", one CUDA graph"
    return kind if part == row["kind"] else f"{kind}, {part}"


# What the predictions are held against: a name, the rows, the aim of the spread, and
# of the worst ratio.
AIMS = (
    ("steps", lambda row: row["kind"] == "step", 1.15, 1.6),
    ("of them, in 16 bits", lambda row: row["kind"] == "step"
     and "precision" not in row["job"], 1.15, 1.6),
    ("layers", lambda row: row["kind"] == "layer", 1.1, None),
    ("expert layers of inference", lambda row: row["kind"] == "expert layer", 1.1, None),
    ("collectives, DeepEP and other dispatchers",
     lambda row: row["kind"] in ("collective", "dispatch"), 1.15, None),
    ("of them, collectives", lambda row: row["kind"] == "collective", 1.15, None),
)
MEMORY_AIM = 1.08


def get_worst(ratios):
    return max(ratios, key=lambda ratio: abs(math.log(ratio)))


def judge(reached):
    return "reached" if reached else "**missed**"


def print_aims(results, pairs):
    """What is reached of what the predictions are held against: only rows that are
    not in sample, and steps whose settings are stated."""
    lines = ["### Held against the aim", "",
             "Rows in sample are left out, and so are steps with a setting that is not stated,",
             "except in the last row.", "",
             "| rows | figures | spread | aim | worst | aim | |",
             "|---|---|---|---|---|---|---|"]

    def list_ratios(chosen, stated=True):
        return [ratio for row, ratios, _ in results
                if ratios is not None and chosen(row) and "inSample" not in row
                and ("notStated" not in row) == stated for ratio, _ in ratios]

    for name, chosen, aim, worst_aim in AIMS:
        ratios = list_ratios(chosen)
        if not ratios:
            continue
        worst = get_worst(ratios)
        far = math.exp(abs(math.log(worst)))
        reached = spread(ratios) <= aim and (not worst_aim or far <= worst_aim)
        lines.append(f"| {name} | {len(ratios)} | x{spread(ratios):.3f} | x{aim} | "
                     f"{worst:.2f} | {f'x{worst_aim}' if worst_aim else '-'} | "
                     f"{judge(reached)} |")
    peaks = [ratio for stated in (True, False)
             for ratio in list_ratios(lambda row: row["kind"] == "memory", stated)]
    if peaks:
        near = sum(abs(ratio - 1) <= MEMORY_AIM - 1 for ratio in peaks)
        lines.append(f"| memory: {near} of {len(peaks)} peaks within 8 % | {len(peaks)} | "
                     f"x{spread(peaks):.3f} | - | {get_worst(peaks):.2f} | "
                     f"x{MEMORY_AIM} | {judge(near == len(peaks))} |")
    right, wrong = pairs
    if right + wrong:
        lines.append(f"| order: {right} of {right + wrong} pairs of one table | "
                     f"{right + wrong} | - | - | - | - | {judge(not wrong)} |")
    others = list_ratios(lambda row: row["kind"] == "step", stated=False)
    if others:
        lines.append(f"| steps with a setting that is not stated | {len(others)} | "
                     f"x{spread(others):.3f} | - | {get_worst(others):.2f} | - | "
                     "not judged |")
    return lines


def list_results(rows, arguments):
    results = []
    for row in rows:
        try:
            ratios = get_ratios(row, ask(row, arguments))
            results.append((row, ratios, ""))
        except CannotAsk as reason:
            results.append((row, None, str(reason)))
    return results


def print_page(results):
    lines = []
    kinds = {}
    tables = {}
    for row, ratios, _ in results:
        if ratios is None:
            continue
        group = "in sample" if "inSample" in row else \
            "not stated" if "notStated" in row else "judged"
        for (part, published), (ratio, _) in zip(get_parts(row), ratios):
            kind = name_kind(row, part)
            kinds.setdefault(kind, {}).setdefault(group, []).append(ratio)
            tables.setdefault((row["table"], part), []).append(
                (row["id"], get_time(row, published), ratio))

    pairs = [count_pairs(rows)[:2] for rows in tables.values()]
    lines += print_aims(results, tuple(map(sum, zip(*pairs))) if pairs else (0, 0))
    lines += ["", "### By kind", "",
              "| kind | rows | predicted / published, median | spread | worst |",
              "|---|---|---|---|---|"]
    names = {"judged": "", "not stated": ", a setting not stated",
             "in sample": ", in sample"}
    for kind in sorted(kinds):
        for group in names:
            ratios = kinds[kind].get(group)
            if ratios:
                worst = get_worst(ratios)
                lines.append(f"| {kind}{names[group]} | {len(ratios)} | "
                             f"{median(ratios):.2f} | x{spread(ratios):.2f} | "
                             f"{worst:.2f} |")
    for bits in ("step", "step in 8 bits"):
        for device in ("Hopper", "Blackwell"):
            steps = [r for kind in kinds if kind.startswith(f"{bits} on {device}")
                     for g in ("judged", "not stated") for r in kinds[kind].get(g, [])]
            if steps:
                worst = get_worst(steps)
                lines.append(f"| all of {bits} on {device}, but in sample | {len(steps)} | "
                             f"{median(steps):.2f} | x{spread(steps):.2f} | {worst:.2f} |")

    lines += ["", "### Order in each table", "",
              "Pairs that differ by more than 5 % as measured.", "",
              "| table | pairs in order | in the wrong order |", "|---|---|---|"]
    for (table, part), rows in tables.items():
        right, wrong, pairs = count_pairs(rows)
        if right + wrong:
            what = table if part in ("step", "collective", "gemm", "expert layer", "memory") \
                else f"{table}: {part}"
            lines.append(f"| {what} | {right} of {right + wrong} | "
                         f"{'; '.join(pairs[:4]) or '-'}"
                         f"{f' and {len(pairs) - 4} more' if len(pairs) > 4 else ''} |")

    lines += ["", "### Every row", "",
              "| row | published | predicted | ratio | note |",
              "|---|---|---|---|---|"]
    for row, ratios, reason in results:
        notes = []
        if "inSample" in row:
            notes.append("in sample: " + row["inSample"])
        if "notStated" in row:
            notes.append("not stated: " + ", ".join(row["notStated"]))
        if "stage" in row:
            notes.append(f"{row['stage']} pipeline stage")
        if ratios is None:
            published = row["published"] if isinstance(row["published"], list) else [row["published"]]
            shown = " / ".join(format_number(p) for p in published)
            lines.append(f"| {row['id']} | {shown} {row['unit']} | - | - | "
                         f"cannot be asked: {reason} |")
            continue
        shown = " / ".join(format_number(p) for _, p in get_parts(row))
        predicted = " / ".join(format_number(p) for _, p in ratios)
        ratio = " / ".join(f"{r:.2f}" for r, _ in ratios)
        lines.append(f"| {row['id']} | {shown} {row['unit']} | {predicted} | "
                     f"{ratio} | {'; '.join(notes)} |")
    sources = {}
    for row, _, _ in results:
        sources.setdefault(row["source"], []).append(row["table"])
    lines += ["", "### Sources", ""]
    for source, of in sources.items():
        lines.append(f"- {', '.join(dict.fromkeys(of))}: {source}")
    return "\n".join(lines) + "\n"


def print_commands(rows, arguments):
    for row in rows:
        try:
            print(row["id"], "moe-plan", " ".join(get_command(row, arguments)))
        except CannotAsk as reason:
            print(row["id"], "-", reason)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=("planners", "sweep", "programs"), default="planners")
    parser.add_argument("--platform", help="ask for all rows on this platform")
    parser.add_argument("--rows", default="", help="only rows whose id has this text")
    parser.add_argument("--points", default=str(HERE / "points.json"))
    parser.add_argument("--commands", action="store_true",
                        help="print the command of each row instead")
    parser.add_argument("--write", metavar="PAGE")
    parser.add_argument("--check", metavar="PAGE")
    arguments = parser.parse_args()
    rows = [row for row in json.loads(Path(arguments.points).read_text())
            if arguments.rows in row["id"]]
    if not rows:
        sys.exit(f"accuracy.py: --rows: no row has {arguments.rows!r} in its id")
    if arguments.commands:
        return print_commands(rows, arguments)
    page = print_page(list_results(rows, arguments))
    file = arguments.write or arguments.check
    if not file:
        print(page, end="")
        return None
    text = Path(file).read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"accuracy.py: {file}: expected the lines {BEGIN.strip()} and {END.strip()}")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + "\n" + page + "\n" + END + after
    if arguments.check:
        if new != text:
            sys.exit(f"accuracy.py: {file}: its tables are not what the planners say "
                     "now: run bench/accuracy/accuracy.py --write " + file)
        print(f"{file}: as the planners say")
        return None
    Path(file).write_text(new)
    return None


if __name__ == "__main__":
    sys.exit(main())
