#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times TA-MoE's target dispatch compared with an even one, on a cluster that
bench/cluster/cluster.sh created.

  target.py RANKS_PER_NODE FOLDER [--hidden=M,...] [--tokens=S] [--rounds=N]
            [--local=pinned|bandwidth] [--least-share=X] [--max-bytes=N]

moe-profile measures the links, also pair by pair, and moe-plan dispatch
computes the target from them. Three programs of one layer run as compiled code
with routing that moe-run replays:

  even      every rank sends every expert equally many tokens
  target    a gate that follows the target, under the limits that
            moe-plan-dispatch sets: nothing is dropped
  limited   an even gate under the same limits, which drop excess tokens

If all links between nodes are alike, the tree has the nodes, and moe-sim
predicts on the measured platform. If the last node has a link of another rate
(nodes of one rank), the tree is [[N-1],[1]], which the levels of a platform
cannot express; the prediction then is the time of the busiest link, its bytes
over the measured rate of its node. Both are printed with the time by TA-MoE's
own formula (SPEC TA-1: the slowest delivery, alone on its link). A node with a
slower link has no choice if its own share is pinned, because everything else
crosses that link. Therefore the own share follows bandwidths there, and every
rank gets at least half of an even dispatch's tokens from others, unless the
options differ. Prints tables and writes them into FOLDER.
"""
import argparse
import json
import math
import os
import re
import sys

from ragged import CLUSTER, CONFIG, EXPERTS, busiest, measure, \
    on_cluster, predict, run, to_ranks

TOP_K = 2
KINDS = ["even", "target", "limited"]


def find_tree(rates, per_node):
    """The tree of the cluster's ranks, and whether its last node's link has
    another rate."""
    if len(set(rates)) == 1:
        nodes = [per_node] * len(rates) if per_node > 1 else [len(rates)]
        return json.dumps(nodes), False
    if per_node != 1 or len(set(rates[:-1])) != 1:
        sys.exit("target.py: expected links of one rate, or nodes of one rank "
                 f"of which the last has another rate, got {','.join(rates)}")
    return f"[[{len(rates) - 1}],[1]]", True


def read_limits(program):
    """The table of a limited program: from each rank to each expert."""
    found = re.search(r"arith\.constant dense<(.*)> : tensor<(\d+)x(\d+)xi32>",
                      program)
    if not found:
        sys.exit("target.py: expected limits in the program, found none")
    limits, rows, columns = json.loads(found[1]), int(found[2]), int(found[3])
    return limits if isinstance(limits, list) else [[limits] * columns] * rows


def write_platform(path, measured, tree, links):
    """Writes the measured platform with levels that have the links of the
    tree's levels."""
    with open(measured) as file:
        platform = json.load(file)
    ranks = platform["levels"][-1]["ranks"]
    platform["topology"] = json.loads(tree)
    links = [link for link in links if link["name"] != "local"]
    platform["levels"] = [
        {"name": link["name"].replace(" ", "-"),
         "ranks": ranks >> (len(links) - 1 - i), "ranks_per_nic": 1,
         "bandwidth_GBps": link["gigabytes_per_second"],
         "latency_us": max(link["alpha_us"], 0),
         "origin": "measured: means over the pairs of a level"}
        for i, link in enumerate(links)]
    platform["name"] += "-pairs"
    # For other levels.
    platform.pop("contention", None)
    platform.pop("pipeline_stall_us", None)
    with open(path, "w") as file:
        json.dump(platform, file, indent=2)


def read_rates(pairs, ranks, choose=min):
    """(us, us per byte) of each rank's link: that of its fastest pair, or the
    one that is chosen by the time per byte."""
    with open(pairs) as file:
        matrices = json.load(file)
    beta, alpha = matrices["beta_us_per_byte"], matrices["alpha_us"]
    rates = []
    for i in range(ranks):
        j = choose((j for j in range(ranks) if j != i),
                   key=lambda j: beta[i][j])
        rates.append((alpha[i][j], beta[i][j]))
    return rates


def print_rates(links):
    return ", ".join(f"{1 / beta:.2f}" for _, beta in links)


def time_busiest(rows, row_bytes, links):
    """The time of both all-to-alls on the slowest link."""
    def get_us(rank, sizes):
        alpha, beta = links[rank]
        return alpha + beta * row_bytes * sizes
    return 2 * max(
        max(get_us(i, sum(rows[i]) - rows[i][i]),
            get_us(i, sum(row[i] for row in rows) - rows[i][i]))
        for i in range(len(rows)))


def read_counts(path):
    with open(path) as file:
        trace = json.load(file)
    if "counts" in trace:
        return trace["counts"]
    return trace["steps"][0]["layers"][0]["counts"]


def limit(rows, limits):
    return [[min(a, b) for a, b in zip(*pair)] for pair in zip(rows, limits)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ranks_per_node", type=int)
    parser.add_argument("folder")
    parser.add_argument("--hidden", default="256,1024,2048")
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--local", choices=["pinned", "bandwidth"])
    parser.add_argument("--least-share", type=float)
    parser.add_argument("--max-bytes", type=int, default=33554432)
    arguments = parser.parse_args()
    status = run(CLUSTER, "status").strip()
    words = status.split()
    nodes, rates = int(words[0]), words[-1].split(",")
    rates = rates * nodes if len(rates) == 1 else rates
    per_node, tokens = arguments.ranks_per_node, arguments.tokens
    ranks = nodes * per_node
    if EXPERTS % ranks or TOP_K * tokens % EXPERTS:
        sys.exit(f"target.py: expected ranks that divide {EXPERTS} experts, "
                 f"and tokens whose {TOP_K} copies do, got {ranks} and "
                 f"{tokens}")
    tree, is_uneven = find_tree(rates, per_node)
    local = arguments.local or ("bandwidth" if is_uneven else "pinned")
    least = arguments.least_share
    if least is None:
        least = 0.5 if local == "bandwidth" else 0
    os.makedirs(arguments.folder, exist_ok=True)
    base = os.path.join(arguments.folder, f"target-{nodes}x{per_node}"
                        + ("-uneven" if is_uneven else ""))
    platform, pairs = f"{base}.json", f"{base}-pairs.json"
    on_cluster(ranks, "moe-profile", "measure", "--backend=mpi", "-o",
               platform, f"--pairs={pairs}",
               f"--max-bytes={arguments.max_bytes}", "--seconds-per-size=0.2",
               f"--name={os.path.basename(base)}")
    links = read_rates(pairs, ranks)

    answers, programs, predicted, rows_of = {}, {}, {}, {}
    for hidden in map(int, arguments.hidden.split(",")):
        name = f"{base}-{hidden}"
        target, levels = f"{name}-target-traffic.json", f"{name}-levels.json"
        plan = ["moe-plan", "dispatch", f"--topology={tree}", "--json",
                f"--tokens={tokens}", f"--top-k={TOP_K}",
                f"--experts={EXPERTS}", f"--bytes-per-token={4 * hidden}",
                f"--local={local}", f"--least-share={least}"]
        # The pass reads a platform's levels, so the tree is passed as levels.
        write_platform(levels, platform, tree, json.loads(run(
            *plan, f"--platform={platform}", f"--pairs={pairs}"))["links"])
        answers[hidden] = json.loads(run(
            *plan, f"--platform={levels}", f"--save-traffic={target}"))
        even = f"{name}-even-traffic.json"
        share = TOP_K * tokens // EXPERTS
        with open(even, "w") as file:
            json.dump({"counts": [[share] * EXPERTS] * ranks}, file)
        run("moe-translate", "--import-hf-config", CONFIG, "--layers=1",
            "--micro-batch=1", "--dtype=f32", f"--seq-len={tokens}",
            f"--hidden-size={hidden}", "--expert-ffn-size=64",
            f"--num-experts={EXPERTS}", f"--top-k={TOP_K}", f"--ep={ranks}",
            "--tp=1", "--routing=dropless", "-o", f"{name}-even.mlir")
        run("moe-opt", f"{name}-even.mlir",
            f"--moe-plan-dispatch=platform={levels} per=expert local={local} "
            f"least-share={least}",
            "--mlir-print-elementsattrs-with-hex-if-larger=-1",
            "-o", f"{name}-limited.mlir")
        with open(f"{name}-limited.mlir") as file:
            limits = read_limits(file.read())
        counts = {"even": read_counts(even), "target": read_counts(target)}
        if limit(counts["target"], limits) != counts["target"]:
            sys.exit("target.py: expected limits that let the target through, "
                     f"got {limits} and {counts['target']}")
        counts["limited"] = limit(counts["even"], limits)
        for kind in KINDS:
            program = f"{name}-{'even' if kind == 'even' else 'limited'}.mlir"
            traffic = [f"--traffic={target if kind == 'target' else even}"]
            rows = to_ranks(counts[kind], ranks)
            rows_of[hidden, kind] = rows
            programs[hidden, kind] = program, traffic
            if is_uneven:
                predicted[hidden, kind] = time_busiest(rows, 4 * hidden, links)
            else:
                predicted[hidden, kind] = predict(program, platform, traffic,
                                                  arguments.folder)[1]
    # Rounds alternate between programs and the best round counts, so that other
    # work on the machine affects all of them.
    measured = {}
    for _ in range(arguments.rounds):
        for key, (program, traffic) in programs.items():
            times = measure(program, ranks, traffic, arguments.folder)
            measured[key] = tuple(map(min, zip(times, measured.get(
                key, (math.inf,) * 3))))
    for program in {program for program, _ in programs.values()}:
        os.remove(program)

    what = "the busiest link" if is_uneven else "moe-sim"
    lines = [f"{status}, each way; {per_node} ranks a node, "
             f"tree {tree}; {tokens} tokens a rank, {EXPERTS} "
             f"experts, top-{TOP_K}, own share {local}, from others at least "
             f"{least:g} of an even dispatch. Exchange is what both "
             "all-to-alls take, us; predicted by "
             f"{what} on what moe-profile measured; gains are even over it.",
             ""]
    header = ["bytes of a row", "dispatch", "of all copies sent",
              "busiest node, KiB", "exchange", "predicted", "off", "gain",
              "predicted", "by TA-1", "makespan", "gain"]
    lines += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for (hidden, kind), got in measured.items():
        said, first = predicted[hidden, kind], predicted[hidden, "even"]
        ref, rows = measured[hidden, "even"], rows_of[hidden, kind]
        answer = answers[hidden]
        by_formula = (f"{answer['even_us'] / answer['target_us']:.2f}"
                      if kind == "target" else "")
        sent = sum(map(sum, rows)) / (ranks * TOP_K * tokens)
        lines.append("| " + " | ".join([
            f"{4 * hidden}", kind, f"{sent:.3f}",
            f"{4 * hidden * busiest(rows, per_node) >> 10}", f"{got[1]:.0f}",
            f"{said:.0f}", f"{100 * (got[1] / said - 1):+.0f} %",
            f"{ref[1] / got[1]:.2f}", f"{first / said:.2f}", by_formula,
            f"{got[0]:.0f}", f"{ref[0] / got[0]:.2f}"]) + " |")
    hidden = max(key[0] for key in measured)
    lines += ["", f"The target at {4 * hidden} bytes a row, tokens by rank: "
              + "; ".join(" ".join(map(str, row))
                          for row in rows_of[hidden, "target"]) + "."]
    lines += ["Links, pair by pair, MB/s of each rank's fastest: "
              + print_rates(links) + "; of its slowest: "
              + print_rates(read_rates(pairs, ranks, max)) + "."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    with open(base + ".md", "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
