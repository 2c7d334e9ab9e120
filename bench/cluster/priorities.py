#!/usr/bin/env python3
"""Times a training step with expert exchanges first and with gradient
all-reduces first, on a cluster that cluster.sh created (SPEC MO-12).

  priorities.py RANKS_PER_NODE FOLDER [--layers=N] [--seq-len=N] [--hidden=N]
                [--rounds=N]

The number of nodes is even. Each half of the nodes holds all experts, so both
kinds of exchanges cross nodes. tp is over the ranks of a node. moe-compile
compiles the step three times: with priorities=ep,pp,cp,dp, with
priorities=dp,ep, and with gradient all-reduces among the exchanges in program
order (priorities=ep). moe-run executes each on MPI, and moe-sim predicts it on
the platform that moe-profile measures on this cluster first. Prints a table and
writes it into FOLDER. Links of 40mbit (RATE) make exchanges take longer than
the compute of a few cores:

  RATE=40mbit MEASURE=bench/cluster/priorities.py bench/cluster/run.sh FOLDER 4x1
"""
import argparse
import json
import math
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
CONFIG = os.path.join(here, "../../examples/configs/mixtral-8x7b.json")
ORDERS = {"experts first": "ep,pp,cp,dp", "gradients first": "dp,ep",
          "as they stand": "ep"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def on_cluster(ranks, *command):
    return run(os.path.join(here, "cluster.sh"), "run", str(ranks), *command)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("ranks_per_node", type=int)
    parser.add_argument("folder")
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--seq-len", type=int, default=1024)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    words = run(os.path.join(here, "cluster.sh"), "status").split()
    nodes, rate = int(words[0]), words[-1]
    if nodes % 2:
        sys.exit(f"priorities.py: expected an even number of nodes, got {nodes}")
    ranks = nodes * options.ranks_per_node
    os.makedirs(options.folder, exist_ok=True)
    base = os.path.join(options.folder,
                        f"priorities-{nodes}x{options.ranks_per_node}")

    platform = base + ".json"
    on_cluster(ranks, "moe-profile", "measure", "--backend=mpi", "-o", platform,
               "--max-bytes=4194304", "--seconds-per-size=0.2",
               f"--name=cluster-{nodes}x{options.ranks_per_node}")
    plain = base + ".mlir"
    # Several small experts per rank: large all-reduces, little compute.
    run("moe-translate", "--import-hf-config", CONFIG, "--phase=train",
        "--dtype=f32", "--dp=2", f"--ep={nodes // 2}",
        f"--tp={options.ranks_per_node}", "--micro-batch=1",
        f"--seq-len={options.seq_len}", f"--hidden-size={options.hidden}",
        f"--expert-ffn-size={options.hidden}", f"--num-experts={4 * nodes}",
        f"--layers={options.layers}", "-o", plain)
    programs, predicted, measured = {}, {}, {}
    for name, priorities in ORDERS.items():
        program = f"{base}-{priorities.replace(',', '-')}.mlir"
        run("moe-opt", plain, "-o", program,
            f"--moe-compile=platform={platform} strategy=baseline to=schedule "
            f"priorities={priorities}")
        programs[name] = program
        predicted[name] = json.loads(run(
            "moe-sim", program, f"--platform={platform}",
            "--json"))["makespan_us"]
    # The values must not depend on the priorities.
    for name, program in programs.items():
        if "equal:" not in on_cluster(ranks, "moe-run", program,
                                      "--backend=mpi", f"--against={plain}"):
            sys.exit(f"priorities.py: {name}: values differ")
    # Rounds alternate, so that other work on the machine affects all of them.
    for _ in range(options.rounds):
        for name, program in programs.items():
            words = on_cluster(ranks, "moe-run", program, "--backend=mpi",
                               "--repeat=5").split()
            us = float(words[words.index("median") + 1])
            measured[name] = min(us, measured.get(name, math.inf))

    lines = [f"Training step of {options.layers} layers, {options.seq_len} "
             f"tokens of {options.hidden} elements a rank, dp 2 x ep "
             f"{nodes // 2} x tp {options.ranks_per_node} on {nodes} nodes, "
             f"links of {rate} each way.", "",
             "| who goes first | predicted, ms | measured, ms | measured over "
             "predicted |", "|---|---|---|---|"]
    for name in ORDERS:
        lines.append(f"| {name} | {predicted[name] / 1e3:.1f} | "
                     f"{measured[name] / 1e3:.1f} | "
                     f"{measured[name] / predicted[name]:.2f} |")
    first, other = list(ORDERS)[:2]
    lines += ["", f"Gradients first take "
              f"{predicted[other] / predicted[first]:.3f} times as long as "
              f"experts first as predicted, "
              f"{measured[other] / measured[first]:.3f} times as measured."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    with open(base + ".md", "w") as file:
        file.write(text)


main()
