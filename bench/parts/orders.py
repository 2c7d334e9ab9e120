#!/usr/bin/env python3
"""Whether a better order of tasks would close more of the gap.

usage: orders.py BIN [--width=N] [--steps=MODEL:PLATFORM,...] [--all]

For steps in which parts of the batch close less than half of the gap to the
busiest stream (bench/parts/parts.py has the columns), cut to two layers: all
orders of the tasks of two parts on their streams are searched by branch and
bound (moe-sim --search-orders), in every plan that moe-choose-parts tries and
in more chunks. "Half" is what would close half of the gap. The best order found
over all plans either does, or none of these programs can in any order: what no
order beats is above it; or neither is known with so many partial orders at a
time. With --all the plans are those of every schedule and of every strategy in
every number of chunks; orders are searched in those whose own bound is not above
half, of which the table says how many there are. The table goes to stdout, as
Markdown.
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
ALL_PLANS = ("schedule=best", *(
    f"schedule={schedule}" for schedule in
    ("deepspeed", "tutel", "tutel-improved", "lina", "fsmoe-no-iio", "fsmoe",
     "orders", "sizes")), *(
    f"strategy={strategy} degree={degree}"
    for strategy in ("auto", "baseline", "o1", "o2", "o3", "hierarchical")
    for degree in (1, 2, 4, 8)))


def measure(programs, model, platform, width, every, folder):
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
        # Why there is none such is an error of the compiler's.
        known = "error: " if every else "is possible"
        if done.returncode and known not in done.stderr:
            sys.exit(done.stderr)
        return done.returncode == 0

    def compile_with(options):
        if not can_compile(options):
            sys.exit(f"{model} on {platform}: {options} is not possible")

    compile_with("schedule=best parts=1")
    one = simulate(programs, made, platform)["makespan_us"]
    compile_with("schedule=best")
    chosen = simulate(programs, made, platform)["makespan_us"]
    half = one - (one - floor) / 2
    plans, searched = [], 0
    for plan in ALL_PLANS if every else PLANS:
        # Not every number of chunks divides what there is, and not every
        # strategy has chunks.
        if not can_compile(f"parts=2 {plan}"):
            continue
        answer = simulate(programs, made, platform)
        best, bound = answer["makespan_us"], answer["lower_bound_us"]
        if not every or bound <= half < best:
            orders = simulate(programs, made, platform,
                              f"--search-orders={width}")["orders"]
            best, bound = orders["best_us"], orders["bound_us"]
            searched += 1
        plans.append((best, bound, plan, answer["makespan_us"],
                      answer["tasks"]))
    return {"floor": floor, "one": one, "chosen": chosen, "plans": plans,
            "searched": searched}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--width", type=int, default=2000)
    parser.add_argument("--steps", default=STEPS)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    print("| model | platform | busiest stream, us | best whole, us | half, us "
          "| as chosen, us | gap closed | best order of all, us | its plan | "
          "tasks | gap closed | no order beats, us | half | plans, searched |")
    print("|---" * 14 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for step in options.steps.split(","):
            model, platform = step.split(":")
            m = measure(options.bin, model, platform, options.width,
                        options.all, pathlib.Path(folder))
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
                  f"{bound:.0f} | {verdict} | {len(m['plans'])}, "
                  f"{m['searched']} |", flush=True)


if __name__ == "__main__":
    main()
