#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TA-MoE's three clusters: its target compared with an even dispatch, computed.

usage: clusters.py      writes bench/results/ta-moe.md

Requires the release build. moe-plan and moe-sim predict every number; nothing
is measured.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap

from ragged import predict, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLAN = ROOT / "build/release/bin/moe-plan"
CONFIG = ROOT / "examples/configs/gpt2-xl-moe.json"
# GPT-3 Medium (Table 3): hidden 1024, batch 4 (6 on cluster A) of 1024 tokens,
# which is GPT-3's smallest context and an assumption; FP32, on A FP16.
HIDDEN, CONTEXT = 1024, 1024
CLUSTERS = {"a": (6, 2), "b": (4, 4), "c": (4, 4)}
SIZES = [8, 16, 32, 48, 64]
# The two possible meanings of "100GB/s" of a NIC.
READINGS = {"Gb/s": 12.5, "GB/s": 100.0}

HEAD = """# TA-MoE's clusters, computed

`bench/dispatch/clusters.py`: `moe-plan dispatch` on `platforms/ta-moe-a.json`,
`-b` and `-c` (Table 2 of the paper, whose "100GB/s" of a NIC is computed in both
readings), one expert a device, nodes of 8, GPT-3 Medium with GShard's top-2 gate
(Table 3). Times are of one exchange by its slowest delivery (SPEC TA-1), with a
NIC shared by the devices that have it. Nothing here is measured, and nothing was
fitted to the paper's results.

Even dispatch over the target: `pinned` keeps the even share for a device's own
expert, `bandwidth` lets it grow with the bandwidth of a copy (the paper does not
say). The optimum is the least time of any dispatch with the same own share. In
the columns of moe-sim both all-to-alls of a layer are simulated, in which the bytes
of a NIC add up (SPEC CC-1), with even routing and with the target's counts.
"""

NOTES = [
    "**Fig. 6 (a)**: communication on cluster C gets 1.16 to 6.4 times as fast, "
    "most at 32 experts, whose four nodes hang on four switches. Computed for "
    "one node there is nothing to gain (all links are alike) but from the own "
    "share; from two nodes on the gain is {least} to {most} over both readings "
    "and both own shares. It {side} the published 6.4 at 32 experts: {at32}. "
    "Published figures are what a trained gate sent, with what is left of even "
    "dispatch in it, over a network others used too; the computed ones are the "
    "target itself. By SPEC TA-11 6.4 at 32 experts needs links between nodes "
    "22.6 times as slow as those inside.",
    "**What TA-1 leaves out**: deliveries of one device run side by side and "
    "do not share its links, so that an even dispatch over more devices, in "
    "smaller messages, takes less. On a machine the bytes of an endpoint add up: "
    "`moe-sim` has gains of {sim_least} to {sim_most} from two nodes on.",
    "**Table 2, Gb/s or GB/s**: with GB/s a device has {fast} GB/s between "
    "nodes of B and C, the order of one NIC for itself; with Gb/s it has "
    "{slow}. The section on topologies (3.2) speaks of 4 to 25 GB/s.",
    "**Fig. 4** (throughput, 1.01 to 4.77 over FastMoE) and **Fig. 5** (time to "
    "converge) need compute times of that framework and training; they are not "
    "computed here.",
    "**8 experts**: the paper reports gains on one node of B and C, whose "
    "NVLink is no switch: pairs differ there. The platforms here have one link "
    "for all pairs.",
]


def simulate(platform, devices, tokens, bytes_of, folder, traffic):
    """Time in us of both all-to-alls of a layer, even or with traffic."""
    program = f"{folder}/layer.mlir"
    run("moe-translate", "--import-hf-config", str(CONFIG), "--layers=1",
        "--micro-batch=1", f"--seq-len={tokens}", f"--hidden-size={HIDDEN}",
        f"--expert-ffn-size={4 * HIDDEN}", f"--num-experts={devices}",
        "--top-k=2", f"--ep={devices}", "--tp=1", "--routing=dropless",
        f"--dtype={'f32' if bytes_of == 4 else 'bf16'}", "-o", program)
    return predict(program, platform, traffic, folder)[1]


def plan(platform, devices, tokens, bytes_per_token, local, traffic):
    nodes = max(devices // 8, 1)
    topology = "8" if nodes == 1 else json.dumps([8] * nodes)
    run = subprocess.run(
        [PLAN, "dispatch", f"--platform={platform}", f"--topology={topology}",
         f"--tokens={tokens}", "--top-k=2", f"--experts={devices}",
         f"--bytes-per-token={bytes_per_token}", f"--local={local}", "--json",
         f"--save-traffic={traffic}"],
        capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"clusters.py: {run.stderr}")
    return json.loads(run.stdout)


def main():
    os.environ["PATH"] = f"{PLAN.parent}:{os.environ['PATH']}"
    lines, gains, sims = [HEAD], {}, []
    with tempfile.TemporaryDirectory() as folder:
        for letter, (batch, bytes_of) in CLUSTERS.items():
            machine = json.loads(
                (ROOT / f"platforms/ta-moe-{letter}.json").read_text())
            for reading, rate in READINGS.items():
                machine["levels"][1]["bandwidth_GBps"] = rate
                path = f"{folder}/ta-moe-{letter}.json"
                pathlib.Path(path).write_text(json.dumps(machine))
                lines.append(f"## Cluster {letter.upper()}, a NIC of 100 "
                             f"{reading}\n")
                lines.append("| experts | even us | target us, pinned | even "
                             "over it | its optimum us | target us, bandwidth | "
                             "even over it | its optimum us | moe-sim: even "
                             "us | even over target, pinned | bandwidth |")
                lines.append("|" + "---|" * 11)
                for devices in SIZES:
                    row, simulated = [f"{devices}"], []
                    sizes = devices, batch * CONTEXT, bytes_of
                    even = simulate(path, *sizes, folder, [])
                    for local in ("pinned", "bandwidth"):
                        traffic = f"{folder}/target.json"
                        answer = plan(path, devices, batch * CONTEXT,
                                      HIDDEN * bytes_of, local, traffic)
                        target = simulate(path, *sizes, folder,
                                          [f"--traffic={traffic}"])
                        simulated.append(f"{even / target:.2f}")
                        if devices > 8:
                            sims.append(even / target)
                        gain = answer["even_us"] / answer["target_us"]
                        if devices > 8:
                            gains[letter, reading, local, devices] = gain
                        if local == "pinned":
                            row.append(f"{answer['even_us']:.1f}")
                        row += [f"{answer['target_us']:.1f}", f"{gain:.2f}",
                                f"{answer['optimal_us']:.1f}"]
                    row += [f"{even:.1f}", *simulated]
                    lines.append("| " + " | ".join(row) + " |")
                lines.append("")
    of_c = {key: gain for key, gain in gains.items() if key[0] == "c"}
    at32 = {key[1:3]: gain for key, gain in of_c.items() if key[3] == 32}
    low, high = min(at32.values()), max(at32.values())
    side = ("lies around" if low <= 6.4 <= high else
            "stays below" if high < 6.4 else "is above")
    values = {
        "least": f"{min(of_c.values()):.2f}",
        "most": f"{max(of_c.values()):.2f}", "side": side,
        "at32": ", ".join(f"{gain:.2f} ({reading}, {local})"
                          for (reading, local), gain in at32.items()),
        "sim_least": f"{min(sims):.2f}", "sim_most": f"{max(sims):.2f}",
        "fast": READINGS["GB/s"] / 8, "slow": READINGS["Gb/s"] / 8}
    lines.append("## Beside the paper\n")
    for note in NOTES:
        lines.append(textwrap.fill("- " + note.format(**values), 80,
                                   subsequent_indent="  "))
    (ROOT / "bench/results/ta-moe.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
