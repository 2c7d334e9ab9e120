#!/usr/bin/env python3
"""Whether a better order of tasks would close more of the gap.

usage: orders.py BIN [--width=N] [--steps=MODEL:PLATFORM,...]

For steps in which parts of the batch close less than half of the gap to the
busiest stream (bench/parts/parts.py has the columns), cut to two layers: all
orders of the tasks of two parts on their streams are searched by branch and
bound (moe-sim --search-orders), in every plan that moe-choose-parts tries and
in more chunks. "Half" is what would close half of the gap. The best order found
over all plans either does, or none of these programs can in any order: what no
order beats is above it; or neither is known with so many partial orders at a
time. The table goes to stdout, as Markdown.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from parts import make_step, simulate

STEPS = ("deepseek-v3:a800-2x8,gpt2-xl-moe:dgx-h100,mixtral-8x22b:dgx-h100,"
         "mixtral-8x7b:dgx-h100,qwen1.5-moe-a2.7b:a800-2x8,"
         "qwen1.5-moe-a2.7b:dgx-h100")
# What a program in two parts is made with.
PLANS = ("schedule=best", "degree=1", "degree=2", "degree=4",
         "schedule=orders")


def measure(programs, model, platform, width, folder):
    step, made = folder / "step.mlir", folder / "made.mlir"
    make_step(programs, step, model, platform, layers=2, micro_batch=2,
              seq_len=2048)
    whole = simulate(programs, step, platform)
    floor = max(stream["busy_us"] for stream in whole["streams"])

    def can_compile(options):
        done = subprocess.run(
            [programs / "moe-opt", step, "-o", made,
             f"--moe-compile=to=schedule platform={platform} {options}"],
            capture_output=True, text=True)
        if done.returncode and "is possible" not in done.stderr:
            sys.exit(done.stderr)
        return done.returncode == 0

    def compile_with(options):
        if not can_compile(options):
            sys.exit(f"{model} on {platform}: {options} is not possible")

    compile_with("schedule=best parts=1")
    one = simulate(programs, made, platform)["makespan_us"]
    compile_with("schedule=best")
    chosen = simulate(programs, made, platform)["makespan_us"]
    plans = []
    for plan in PLANS:
        # Not every number of chunks divides what there is.
        if not can_compile(f"parts=2 {plan}"):
            continue
        answer = simulate(programs, made, platform, f"--search-orders={width}")
        orders = answer["orders"]
        plans.append((orders["best_us"], orders["bound_us"], plan,
                      answer["makespan_us"], answer["tasks"]))
    return {"floor": floor, "one": one, "chosen": chosen, "plans": plans}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--width", type=int, default=2000)
    parser.add_argument("--steps", default=STEPS)
    options = parser.parse_args()
    print("| model | platform | busiest stream, us | best whole, us | half, us "
          "| as chosen, us | gap closed | best order of all, us | its plan | "
          "tasks | gap closed | no order beats, us | half |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for step in options.steps.split(","):
            model, platform = step.split(":")
            m = measure(options.bin, model, platform, options.width,
                        pathlib.Path(folder))
            gap = m["one"] - m["floor"]
            half = m["one"] - gap / 2
            best, _, plan, _, tasks = min(m["plans"])
            bound = min(plan[1] for plan in m["plans"])
            verdict = ("closes" if best <= half else
                       "cannot" if bound > half else "open")
            share = lambda us: f"{(m['one'] - us) / gap * 100:.0f} %"
            print(f"| {model} | {platform} | {m['floor']:.0f} | {m['one']:.0f} "
                  f"| {half:.0f} | {m['chosen']:.0f} | {share(m['chosen'])} | "
                  f"{best:.0f} | {plan} | {tasks} | {share(best)} | "
                  f"{bound:.0f} | {verdict} |", flush=True)


if __name__ == "__main__":
    main()
