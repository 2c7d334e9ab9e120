#!/usr/bin/env python3
"""Tests whether a better order of tasks would close more of the gap.

usage: orders.py BIN [--width=N] [--steps=MODEL:PLATFORM,...] [--kept=FILE]

Examines steps in which sub-batches close less than half of the gap to the
busiest stream (default: the steps listed in bench/results/parts-bounds.md), cut
to two layers: two sub-batches in every possible schedule, strategy and number
of chunks. Each plan has a bound that no order of its tasks beats, and no order
of any plan beats the least of them. "Half" is the time that closes half of the
gap, from the whole in its best order and from the whole in its schedule's own
order. If the bound of a plan is not above half, half is refuted if possible
(moe-sim --refute-us). Otherwise orders are searched: as moe-opt does, and if
these do not close half, by branch and bound (moe-sim --search-orders). The
result is an order that closes half, or a proof that there is none (the least
bound is above it), or neither with this many partial orders at a time ("open").
The table is written to stdout, as Markdown. Steps in the file of --kept are not
measured again, and new measurements are added to it.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

from parts import ROOT, compile_best, find_own_us, make_step, simulate

PAGE = ROOT / "bench/results/parts-bounds.md"
# The bound is the same in any order of the tasks.
UNORDERED = ("--moe-schedule-plan=search-width=0", "--canonicalize", "--cse")
PLANS = (*(f"schedule={schedule}" for schedule in
           ("deepspeed", "megatron", "tutel", "tutel-improved", "lina",
            "fsmoe-no-iio", "fsmoe", "orders", "sizes", "layers")),
         *(f"strategy={strategy} degree={degree}"
           for strategy in ("auto", "baseline", "o1", "o2", "o3",
                            "hierarchical")
           for degree in (1, 2, 4, 8)))


def read_steps():
    """The steps above the line from which less than half of a gap closes."""
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")]
            for line in PAGE.read_text().splitlines()
            if re.match(r"\| [a-z]", line)]
    columns, rows = rows[0], [row for row in rows[1:] if len(row) > 9]
    return [f"{row[0]}:{row[1]}" for row in rows
            if any(row[columns.index(name)] != "-" and
                   int(row[columns.index(name)].split()[0]) < 50
                   for name in ("gap closed, from own order",
                                "from best order"))]


def compile_plan(programs, step, platform, plan, made, *passes, to="schedule"):
    """Returns true if there is such a plan in two sub-batches."""
    done = subprocess.run(
        [programs / "moe-opt", step, "-o", made, "--moe-compile="
         f"to={to} platform={platform} sub-batches=2 {plan}", *passes],
        capture_output=True, text=True)
    # Not every number of chunks divides the size, and not every strategy has
    # chunks; the compiler reports these as errors.
    if done.returncode and "error: " not in done.stderr:
        sys.exit(done.stderr)
    return done.returncode == 0


def measure(programs, model, platform, width, folder):
    step, made = folder / "step.mlir", folder / "made.mlir"
    make_step(programs, step, model, platform, layers=2, micro_batch=2,
              seq_len=2048)
    whole = simulate(programs, step, platform)
    floor = max(stream["busy_us"] for stream in whole["streams"])
    one, remark, _ = compile_best(programs, step, platform, 1, made,
                                  "moe-choose-schedule")
    chosen, _, _ = compile_best(programs, step, platform, "auto", made)
    m = {"step": f"{model}:{platform}", "width": width, "floor": floor,
         "one": one["makespan_us"], "own": find_own_us(remark),
         "chosen": chosen["makespan_us"], "plans": []}
    for plan in PLANS:
        if not compile_plan(programs, step, platform, plan, made,
                            *UNORDERED, to="pipeline"):
            continue
        answer = simulate(programs, made, platform)
        entry = {"plan": plan, "tasks": answer["tasks"],
                 "bound": answer["lower_bound_us"],
                 "found": answer["makespan_us"], "searched": False}
        m["plans"].append(entry)
    # The best may be one of these, or one that chunks each layer in another
    # way.
    halves = [half for half in (get_half(m, order) for order in ("one", "own"))
              if half < m["chosen"]]
    for entry in m["plans"]:
        wanted = [half for half in halves if entry["bound"] <= half]
        if not wanted:
            continue
        compile_plan(programs, step, platform, entry["plan"], made, *UNORDERED,
                     to="pipeline")
        for half in sorted(wanted, reverse=True):
            # Above half by whole us and by the error of joined streams.
            take_orders(entry, simulate(
                programs, made, platform, "--search-orders=1",
                f"--refute-us={math.floor(half * (1 + 2e-5)) + 1}"))
            if entry["bound"] > half:
                break
        wanted = [half for half in wanted if entry["bound"] <= half]
        if not wanted:
            continue
        compile_plan(programs, step, platform, entry["plan"], made)
        answer = simulate(programs, made, platform)
        entry["found"] = min(entry["found"], answer["makespan_us"])
        if entry["found"] > min(wanted):
            take_orders(entry, simulate(programs, made, platform,
                                        f"--search-orders={width}"))
            entry["searched"] = True
    return m


def take_orders(entry, answer):
    entry["found"] = min(entry["found"], answer["orders"]["best_us"])
    entry["bound"] = max(entry["bound"], answer["orders"]["bound_us"])


def get_half(m, order):
    return (m[order] + m["floor"]) / 2


def get_verdict(m, order):
    if m[order] <= 1.1 * m["floor"]:
        return "-"
    half = get_half(m, order)
    found = min([m["chosen"], *(plan["found"] for plan in m["plans"])])
    if m["chosen"] <= half:
        return "closes"
    if found <= half:
        return "closes otherwise"
    if min(plan["bound"] for plan in m["plans"]) > half:
        return "cannot"
    return "open"


def write_row(m):
    model, platform = m["step"].split(":")
    best = min(m["plans"], key=lambda plan: plan["found"])
    least = min(m["plans"], key=lambda plan: plan["bound"])
    gap = m["one"] - m["floor"]
    closed = f"{(m['one'] - m['chosen']) / gap * 100:.0f} %" if gap else "-"
    searched = sum(plan["searched"] for plan in m["plans"])
    print(f"| {model} | {platform} | {m['floor']:.0f} | {m['own']:.0f} | "
          f"{get_half(m, 'own'):.0f} | {m['one']:.0f} | "
          f"{get_half(m, 'one'):.0f} | {m['chosen']:.0f} | {closed} | "
          f"{best['found']:.0f} | {best['plan']} | {least['bound']:.0f} | "
          f"{least['plan']} | {len(m['plans'])}, {searched} | "
          f"{get_verdict(m, 'own')} | {get_verdict(m, 'one')} |", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--width", type=int, default=300)
    parser.add_argument("--steps", default="")
    parser.add_argument("--kept", type=pathlib.Path)
    options = parser.parse_args()
    steps = options.steps.split(",") if options.steps else read_steps()
    kept = {}
    if options.kept and options.kept.exists():
        for line in options.kept.read_text().splitlines():
            m = json.loads(line)
            kept[m["step"]] = m
    print("| model | platform | busiest stream, us | whole in its own order, us "
          "| half, us | whole in its best order, us | half, us | as chosen, us "
          "| gap closed | best of others, us | its plan | no order of any "
          "beats, us | its plan | plans, searched | from its own order | from "
          "the best |")
    print("|---" * 16 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for step in steps:
            if step not in kept:
                kept[step] = measure(options.bin, *step.split(":"),
                                     options.width, pathlib.Path(folder))
                if options.kept:
                    with open(options.kept, "a") as file:
                        print(json.dumps(kept[step]), file=file)
            write_row(kept[step])
    for order, words in (("own", "its schedule's own"), ("one", "the best")):
        verdicts = [get_verdict(kept[step], order) for step in steps]
        over = [verdict for verdict in verdicts if verdict != "-"]
        counts = ", ".join(f"{verdict}: {over.count(verdict)}"
                           for verdict in sorted(set(over)))
        print(f"\nFrom the whole in {words} order, of {len(over)} steps over "
              f"10 % above the busiest stream: {counts}.")


if __name__ == "__main__":
    main()
