#!/usr/bin/env python3
"""Steps of all models with and without sub-batches.

usage: parts.py BIN [--layers=N] [--micro-batch=N] [--seq-len=N] [--models=A,B]

For each model of examples/configs and three platforms, a dropless training
step: the time of the fastest schedule without sub-batches, in its own order of
tasks and in the fastest order found (`schedule=best sub-batches=1`), and of the
chosen sub-batches (`sub-batches=auto`), compared with the busiest stream of the
program as imported, unchunked. Hiding cannot make a program that computes and
sends the same faster than this stream. The gap is the whole's excess over that
stream; the closed part is given for either order of the whole. Sub-batches
compute longer, because small products are less efficient: no order of theirs
beats their own bound, which counts the work of the compiled program (moe-sim's
lower bound). The table is written to stdout, as Markdown, with the number of
steps by distance from their bounds.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Tensor-parallel ranks, which are inside nodes; experts are distributed over
# nodes.
PLATFORMS = {"a800-2x8": 2, "dgx-h100": 4, "fsmoe-b": 4}
# Expert-parallel ranks: as many as divide the number of experts.
EP = {"qwen1.5-moe-a2.7b": 4}


def run(args):
    done = subprocess.run(args, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, args))}: {done.stderr}")
    return done


def simulate(programs, file, platform, *options):
    out = run([programs / "moe-sim", file, f"--platform={platform}", "--json",
               *options])
    return json.loads(out.stdout)


def make_step(programs, step, model, platform, layers, micro_batch, seq_len):
    """Writes a dropless training step of a model."""
    run([programs / "moe-translate", "--import-hf-config",
         ROOT / "examples/configs" / f"{model}.json", "--phase=train",
         "--routing=dropless", "--sequence-parallel",
         f"--micro-batch={micro_batch}", f"--seq-len={seq_len}",
         f"--layers={layers}", f"--tp={PLATFORMS[platform]}",
         f"--ep={EP.get(model, 8)}", f"--dp={8 // EP.get(model, 8)}", "-o",
         step])


def compile_best(programs, step, platform, parts, made,
                 remarks="moe-choose-parts"):
    """Compiles a step in its best schedule, with the given number of
    sub-batches or as many as pay: returns the prediction, the remark, and the
    seconds."""
    start = time.time()
    why = made.with_suffix(".yaml")
    run([programs / "moe-opt", step, "--moe-compile="
         f"to=schedule platform={platform} schedule=best sub-batches={parts}",
         f"--remarks-filter={remarks}", "--remark-format=yaml",
         f"--remarks-output-file={why}", "-o", made])
    seconds = time.time() - start
    answer = simulate(programs, made, platform, f"--remarks={why}")
    choices = [choice for choice in answer.get("choices", ())
               if choice["pass"] == remarks and not choice.get("missed")]
    return answer, choices[0] if choices else None, seconds


def find_own_us(choice):
    """The time of the fastest schedule in its own order of tasks."""
    return choice["decision"]["candidates"][0]["time_us"]


def measure(programs, model, platform, options, folder):
    step, best = folder / "step.mlir", folder / "best.mlir"
    make_step(programs, step, model, platform, options.layers,
              options.micro_batch, options.seq_len)
    whole = simulate(programs, step, platform)
    floor = max(stream["busy_us"] for stream in whole["streams"])

    def compile_with(parts, *remarks):
        return compile_best(programs, step, platform, parts, best, *remarks)

    one, _, oneSeconds = compile_with(1)
    _, remark, _ = compile_with(1, "moe-choose-schedule")
    own = find_own_us(remark)
    chosen, remark, seconds = compile_with("auto")
    parts = remark["metrics"]["parts"] if remark else 1
    return {"floor": floor, "own": own, "one": one["makespan_us"],
            "one_bound": one["lower_bound_us"],
            "chosen": chosen["makespan_us"],
            "parts": int(parts),
            "bound": chosen["lower_bound_us"],
            "bytes": chosen["peak_bytes"] / max(one["peak_bytes"], 1),
            "seconds": seconds, "one_seconds": oneSeconds}


def describe_distances(steps):
    """Describes how far steps are above the bounds of their programs."""
    for name, us, bound in (("whole", "one", "one_bound"),
                            ("as chosen", "chosen", "bound")):
        above = sorted(((step[us] / step[bound] - 1) * 100, *step["name"])
                       for step in steps)
        close = sum(percent <= 10 for percent, *_ in above)
        median = above[len(above) // 2][0]
        most = ", ".join(f"{model} on {platform} {percent:.1f} %"
                         for percent, model, platform in above[:-6:-1])
        print(f"\nOf {len(above)} steps {name}, {close} are within 10 % of the "
              f"bound of their own programs, half within {median:.1f} %. The "
              f"farthest: {most}.")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--micro-batch", type=int, default=2)
    parser.add_argument("--seq-len", type=int, default=2048)
    parser.add_argument("--models", default="")
    options = parser.parse_args()
    models = options.models.split(",") if options.models else sorted(
        path.stem for path in (ROOT / "examples/configs").glob("*.json"))
    print("| model | platform | busiest stream, us | best schedule whole, us | "
          "above | in its best order, us | above | above its bound | best, us | "
          "parts | above | gap closed, from own order | from best order | "
          "above its bound | values | compiled in |")
    print("|---" * 16 + "|")
    # By order of the whole: steps above the required line, and steps in which
    # half of the gap closes.
    over, closed = {"own": 0, "one": 0}, {"own": 0, "one": 0}
    steps = []
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            for platform in PLATFORMS:
                m = measure(options.bin, model, platform, options,
                            pathlib.Path(folder))
                m["name"] = (model, platform)
                steps.append(m)
                shares = {}
                for order in over:
                    gap = m[order] - m["floor"]
                    share = (m[order] - m["chosen"]) / gap if gap > 0 else 1
                    isOver = gap > .1 * m["floor"]
                    over[order] += isOver
                    closed[order] += isOver and share >= .5
                    shares[order] = (f"{share * 100:.0f} %" if isOver else "-")
                percent = lambda us, of: f"{(us / of - 1) * 100:.1f} %"
                print(f"| {model} | {platform} | {m['floor']:.0f} | "
                      f"{m['own']:.0f} | {percent(m['own'], m['floor'])} | "
                      f"{m['one']:.0f} | {percent(m['one'], m['floor'])} | "
                      f"{percent(m['one'], m['one_bound'])} | "
                      f"{m['chosen']:.0f} | {m['parts']} | "
                      f"{percent(m['chosen'], m['floor'])} | "
                      f"{shares['own']} | {shares['one']} | "
                      f"{percent(m['chosen'], m['bound'])} | "
                      f"{m['bytes']:.2f} | {m['seconds']:.1f} s, whole "
                      f"{m['one_seconds']:.1f} s |", flush=True)
                assert m["chosen"] <= m["one"] * (1 + 1e-9), "slower"
                assert m["one"] <= m["own"] * (1 + 1e-5), "slower"
    for order, words in (("own", "its schedule's own"), ("one", "the best")):
        print(f"\nIn {words} order of tasks {over[order]} steps are more than "
              f"10 % above the busiest stream whole; of {closed[order]} at "
              "least half of that gap closes.")
    describe_distances(steps)


if __name__ == "__main__":
    main()
