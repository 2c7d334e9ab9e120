#!/usr/bin/env python3
"""Prints how busy a GPU is in a profile, and how much of the exchanges it hides.

TRACE is a JSON file of PyTorch's profiler. Kernels whose name has one of the words
of --exchanges move tokens between ranks; all other kernels and copies compute.
Times are unions of intervals over streams:

- busy: the share of the profile in which something computes;
- hidden: the share of the time with an exchange in which something computes too.

With --step, the same shares of a MoE layer, forward and backward, follow as moe-plan
predicts them with --overlap=1f1b. Its words are the options of moe-plan step. Exchanges
are hidden by the share that the platform states (hidden_exchanges), or by --hidden.

  bench/accuracy/trace.py train.json
  bench/accuracy/trace.py train.json --hidden=1 --step="--platform=dgx-h800-measured
      --config=examples/configs/deepseek-v3.json --ranks=64 --ep=64 --micro-batch=1
      --seq-len=4096 --dispatcher=deepep --dispatcher-sms=20 --memory-gb=2000"

deepseek-ai/profile-data has such a profile of DualPipe. MOE_PLAN names moe-plan,
build/ci/bin/moe-plan unless set.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
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
    """Time in which both run."""
    both = get_length(left) + get_length(right)
    return both - get_length(merge([tuple(one) for one in left + right]))


def read_profile(file, words):
    """Busy and hidden shares with the times they are of, in ms."""
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


def set_hidden(words, share, folder):
    """The options with a copy of their platform that hides this share."""
    names = [word.split("=", 1)[1] for word in words if word.startswith("--platform=")]
    if not names:
        fail("--hidden requires --platform=NAME in --step")
    file = ROOT / "platforms" / f"{names[0]}.json"
    platform = json.loads((file if file.is_file() else Path(names[0])).read_text())
    platform["hidden_exchanges"] = share
    platform["hidden_exchanges_origin"] = "--hidden of bench/accuracy/trace.py"
    copy = Path(folder) / "platform.json"
    copy.write_text(json.dumps(platform))
    return [word for word in words if not word.startswith("--platform=")] + [
        f"--platform={copy}"]


def predict(words, share):
    with tempfile.TemporaryDirectory() as folder:
        if share is not None:
            words = set_hidden(words, share, folder)
        plain, overlapped = ask_step(words), ask_step(words, "--overlap=1f1b")
    exposed = overlapped["spent_us"]["expert exchanges"] / plain["spent_us"]["expert exchanges"]
    times = {}
    for part in plain["layer"]["parts"]:
        times[part["kind"]] = (times.get(part["kind"], 0) + part["forward_us"] +
                               part["backward_us"])
    computing = sum(times.get(kind, 0) for kind in COMPUTE)
    whole = sum(times.values()) - (1 - exposed) * times["expert exchanges"]
    return computing / whole, 1 - exposed, whole / 1e3, times["expert exchanges"] / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("--exchanges", default="::ep::,nccl",
                        help="parts of names of exchanges' kernels (default: ::ep::,nccl)")
    parser.add_argument("--step", help="options of moe-plan step")
    parser.add_argument("--hidden", type=float,
                        help="share of exchanges that overlap hides, instead of the platform's")
    arguments = parser.parse_args()
    if arguments.hidden is not None and not arguments.step:
        fail("--hidden requires --step")
    rows = [("profile", read_profile(arguments.trace, arguments.exchanges.split(",")))]
    if arguments.step:
        rows.append(("moe-plan step, a MoE layer",
                     predict(arguments.step.split(), arguments.hidden)))
    print("| | busy | hidden | time, ms | exchanges, ms |\n|---|---|---|---|---|")
    for name, (busy, hidden, span, exchanges) in rows:
        print(f"| {name} | {busy:.1%} | {hidden:.1%} | {span:.4g} | {exchanges:.4g} |")


if __name__ == "__main__":
    main()
