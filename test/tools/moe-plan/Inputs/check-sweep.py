"""Compiles random layouts of a job alone, and checks that moe-sim says of none
of them that it is faster than the best of a sweep, and of those that the sweep
lists what the sweep says.

usage: check-sweep.py [--stages] [--num-micro-batches=M] [--listed] SWEEP CONFIG
           PLATFORM LAYOUTS SEED MOE-OPTION...

With --stages layouts may have several stages: the program of each kind of stage is
timed, and the step of all counted here; where stages are alike, moe-sim
--num-micro-batches must say the same. The output layer, which no program has, is
counted by hand and added to the last one. Where the sweep computes layers again, a forward
pass is added to the backward one. With --listed only layouts of the sweep are drawn.
"""

import argparse
import functools
import json
import pathlib
import random
import subprocess
import sys

parser = argparse.ArgumentParser(allow_abbrev=False)
parser.add_argument("--stages", action="store_true")
parser.add_argument("--listed", action="store_true")
parser.add_argument("--num-micro-batches", type=int, default=1)
parser.add_argument("sweep")
parser.add_argument("config")
parser.add_argument("platform")
parser.add_argument("number", type=int)
parser.add_argument("seed", type=int)
args, options = parser.parse_known_args()
with open(args.sweep) as file:
    answer = json.load(file)
ranks = answer["ranks"]
best = answer["layouts"][0]["tokens_per_s"]
listed = {(l["dp"], l["pp"], l["cp"], l["ep"], l["tp"], l["fold_ep"]): l
          for l in answer["layouts"]}
with open(args.config) as file:
    config = json.load(file)
of = dict(zip((o.lstrip("-") for o in options[::2]), options[1::2]))
here = pathlib.Path(__file__).resolve()
with open(here.parents[4] / "platforms" / (args.platform + ".json")) as file:
    gemm = json.load(file)
LAYERS = config["num_hidden_layers"]
DENSE = config.get("first_k_dense_replace", 0)


@functools.lru_cache(maxsize=None)
def simulate(layout, stage_layers=None):
    """What moe-sim says of a program, None where it cannot be imported."""
    words = ["--import-hf-config", args.config, "--phase", "train"] + options
    for name, degree in zip(("dp", "pp", "cp", "ep", "tp"), layout):
        words += [f"--{name}", str(degree)]
    if layout[5]:
        words.append("--fold-ep")
    if layout[4] > 1:
        words.append("--sequence-parallel")
    if stage_layers:
        words += ["--stage-layers", stage_layers]
    text = subprocess.run(["moe-translate"] + words, capture_output=True,
                          text=True)
    if text.returncode != 0:
        return None
    compiled = subprocess.run(
        ["moe-opt", "-", f"--moe-compile=to=schedule platform={args.platform}"],
        input=text.stdout, capture_output=True, text=True, check=True)
    said = subprocess.run(["moe-sim", "-", "--json",
                           f"--num-micro-batches={args.num_micro_batches}"],
                          input=compiled.stdout, capture_output=True, text=True,
                          check=True)
    return json.loads(said.stdout)


def run(layout):
    """Tokens a second of a layout, None where it cannot be."""
    if layout[1] > 1:
        return run_stages(layout)
    said = simulate(layout)
    if said is None:
        return None
    step = said["stages"]["step_us"]
    return (said["tokens_per_s"] * step
            / (step + 3 * args.num_micro_batches * count_output(layout)))


def count_output(layout):
    """What the output layer, in no program, takes of a micro-batch forward: each
    token meets the words of one of the tensor-parallel ranks."""
    macs = (int(of["micro-batch"]) * int(of["seq-len"]) / layout[2]
            * config["hidden_size"] * config["vocab_size"] / layout[4])
    return gemm["gemm_alpha_us"] + gemm["gemm_beta_us_per_mac"] * macs


def run_stages(layout):
    """The same of several stages."""
    stages = layout[1]
    again = layout in listed and listed[layout]["recompute"] == "full"
    if stages > LAYERS:
        return None
    sizes = min(([rest // 2] + [m] * (stages - 2) + [rest - rest // 2]
                 for m in range(1, LAYERS)
                 if (rest := LAYERS - (stages - 2) * m) >= 2),
                key=lambda s: (max(s), -min(s)))
    if LAYERS % stages == 0:
        sizes = [LAYERS // stages] * stages
    whole = simulate(layout)
    if whole:
        now = whole["stages"]
        step = count_step([now] * stages)
        if abs(step / now["step_us"] - 1) > 1e-6:
            sys.exit(f"{layout}: {step} us a step, moe-sim {now['step_us']}")
    times = []
    start = 0
    for size in sizes:
        dense = max(0, min(size, DENSE - start))
        start += size
        moe = size - dense
        said = simulate(layout, f"{max(moe, 1)}+{dense}")
        if said is None:
            return None
        now = said["stages"]
        time = {key: now[key] for key in ("forward_us", "backward_us",
                                          "send_us", "gradients_us")}
        if moe == 0:
            # One MoE layer less, by what another one adds.
            one, two = (simulate(layout, n)["stages"] for n in "12")
            for key in ("forward_us", "backward_us"):
                time[key] -= two[key] - one[key]
        if again:
            time["backward_us"] += time["forward_us"]
        times.append(time)
    times[-1]["forward_us"] += count_output(layout)
    times[-1]["backward_us"] += 2 * count_output(layout)
    step = count_step(times)
    return said["tokens_per_s"] * said["stages"]["step_us"] / step


def count_step(times):
    """1F1B of stages: when the last of them is done."""
    batches, stages = args.num_micro_batches, len(times)
    send = max(t["send_us"] for t in times)
    order = []
    for s in range(stages):
        ahead = min(stages - 1 - s, batches)
        passes = [("f", i) for i in range(ahead)]
        for i in range(batches - ahead):
            passes += [("f", ahead + i), ("b", i)]
        passes += [("b", i) for i in range(batches - ahead, batches)]
        order.append(passes)
    ends, clock, place = {}, [0.0] * stages, [0] * stages
    # What a stage sends it sends one after the other, each way.
    lanes = {}
    while any(place[s] < len(order[s]) for s in range(stages)):
        for s in range(stages):
            while place[s] < len(order[s]):
                kind, i = order[s][place[s]]
                other = s - 1 if kind == "f" else s + 1
                ready = 0.0
                if 0 <= other < stages:
                    if ("sent", other, kind, i) not in ends:
                        break
                    ready = ends["sent", other, kind, i]
                took = times[s]["forward_us" if kind == "f" else "backward_us"]
                clock[s] = max(clock[s], ready) + took
                lane = max(lanes.get((s, kind), 0.0), clock[s]) + send
                lanes[s, kind] = lane
                ends["sent", s, kind, i] = lane
                place[s] += 1
    return max(clock) + max(t["gradients_us"] for t in times)


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


layouts = [(ranks // (pp * axis * tp), pp, 1, axis * (tp if fold else 1), tp,
            fold)
           for tp in divisors(ranks) if tp <= 8
           for pp in (divisors(ranks // tp) if args.stages else (1,))
           for axis in divisors(ranks // tp // pp)
           for fold in ((False, True) if tp > 1 else (False,))]
if args.listed:
    layouts = [layout for layout in layouts if layout in listed]
random.Random(args.seed).shuffle(layouts)
tried = compared = 0
for layout in layouts:
    if layout[1] == 1 and layout in listed and (
            listed[layout]["recompute"] == "full"):
        # Where its forward pass ends moe-sim does not say.
        continue
    speed = run(layout)
    if speed is None:
        if layout in listed:
            sys.exit(f"{layout}: is listed and cannot be imported")
        continue
    tried += 1
    if layout in listed:
        compared += 1
        says = listed[layout]["tokens_per_s"]
        if abs(says / speed - 1) > 0.01:
            sys.exit(f"{layout}: {speed} tokens/s alone, {says} in the sweep")
    if speed > best * 1.000001:
        sys.exit(f"{layout}: {speed} tokens/s, and the best of the sweep {best}")
    if tried == args.number:
        break
print(f"{tried} layouts, none faster; {compared} of them are of the sweep")
