#!/usr/bin/env python3
"""Prints how busy a GPU is in a profile, and how much of the exchanges it
hides.

TRACE is a JSON file of PyTorch's profiler. Kernels whose name contains one of
the strings of --exchanges move tokens between ranks; all other kernels and
copies compute. Times are unions of intervals over streams:

- busy: the share of the profile during which some kernel computes;
- hidden: the share of the exchange time during which some kernel computes, too.

With --step, also prints moe-plan's prediction of these shares for an MoE layer,
forward and backward. Its value is the options of moe-plan step, including the
overlap.

  bench/accuracy/trace.py train.json
  bench/accuracy/trace.py train.json --step="--platform=dgx-h800-measured
      --config=examples/configs/deepseek-v3.json --ranks=64 --ep=64 --micro-batch=1
      --seq-len=4096 --num-micro-batches=2 --dispatcher=deepep --dispatcher-sms=20
      --overlap=dualpipe --memory-gb=2000"

deepseek-ai/profile-data has such a profile of DualPipe. MOE_PLAN names moe-plan
(default: build/ci/bin/moe-plan).
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEVICE_EVENTS = ("kernel", "gpu_memcpy", "gpu_memset")
COMPUTE = ("products", "memory-bound kernels")


def fail(message):
    sys.exit(f"trace.py: {message}")


def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def get_length(merged):
    return sum(end - start for start, end in merged)


def get_common(left, right):
    """The time during which both run."""
    both = get_length(left) + get_length(right)
    return both - get_length(merge([tuple(one) for one in left + right]))


def read_profile(file, words):
    """Busy and hidden shares with their times in ms."""
    trace = json.loads(Path(file).read_text())
    computing, exchanging = [], []
    for event in trace.get("traceEvents", []):
        if event.get("ph") != "X" or event.get("cat") not in DEVICE_EVENTS:
            continue
        is_exchange = any(word in event["name"] for word in words)
        (exchanging if is_exchange else computing).append(
            (event["ts"], event["ts"] + event["dur"]))
    if not computing or not exchanging:
        fail(f"{file}: expected kernels that compute and kernels with {' or '.join(words)} in "
             f"their name, got {len(computing)} and {len(exchanging)}")
    span = get_length([[min(computing + exchanging)[0],
                        max(end for _, end in computing + exchanging)]])
    computing, exchanging = merge(computing), merge(exchanging)
    return (get_length(computing) / span, get_common(computing, exchanging) /
            get_length(exchanging), span / 1e3, get_length(exchanging) / 1e3)


def ask_step(words, *more):
    moe_plan = os.environ.get("MOE_PLAN", str(ROOT / "build/ci/bin/moe-plan"))
    run = subprocess.run([moe_plan, "step", "--json", *words, *more], cwd=ROOT,
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        fail(run.stderr.strip())
    return json.loads(run.stdout)


def predict(words):
    overlapped = ask_step(words)["spent_us"]
    alone = ask_step([word for word in words if not word.startswith("--overlap")])
    times = {}
    for part in alone["layer"]["parts"]:
        times[part["kind"]] = (times.get(part["kind"], 0) + part["forward_us"] +
                               part["backward_us"])
    exchanges = times["expert exchanges"]
    # Exchanges are hidden, and products are slower meanwhile.
    for kind, us in alone["spent_us"].items():
        if kind in times and us > 0:
            times[kind] *= overlapped[kind] / us
    whole = sum(times.values())
    busy = sum(times.get(kind, 0) for kind in COMPUTE) / whole
    return busy, 1 - times["expert exchanges"] / exchanges, whole / 1e3, exchanges / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("--exchanges", default="::ep::,nccl",
                        help="parts of names of exchanges' kernels (default: ::ep::,nccl)")
    parser.add_argument("--step", help="options of moe-plan step")
    arguments = parser.parse_args()
    rows = [("profile", read_profile(arguments.trace, arguments.exchanges.split(",")))]
    if arguments.step:
        rows.append(("moe-plan step, a MoE layer", predict(arguments.step.split())))
    print("| | busy | hidden | time, ms | exchanges, ms |\n|---|---|---|---|---|")
    for name, (busy, hidden, span, exchanges) in rows:
        print(f"| {name} | {busy:.1%} | {hidden:.1%} | {span:.4g} | {exchanges:.4g} |")


if __name__ == "__main__":
    main()
