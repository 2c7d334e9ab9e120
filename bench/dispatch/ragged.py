#!/usr/bin/env python3
"""Times dropless layers compared with padded ones, on a cluster that
bench/cluster/cluster.sh created.

  ragged.py RANKS_PER_NODE FOLDER [--exponents=X,...] [--hidden=M,...]
            [--tokens=S] [--top-k=K] [--rounds=N] [--platform=FILE]
            [--traffic=FILE | --counts=FILE] [--times=FILE]

Routing is drawn with Zipf's weights and replayed by moe-run. With --traffic,
all steps of a trace are replayed, one after the other. With --counts, a trace
is drawn with the weights of Mixtral's experts in a domain and a layer
(expert_counts of "mistral" in that file). The padded program has the least
capacity that drops no token of it. If nodes have several ranks, a third program
deduplicates tokens per node (strategy=node-dedup). All are executed as compiled
code and predicted by moe-sim on the platform that moe-profile measures on this
cluster first. Prints tables and writes them into FOLDER, with the measurements:
--times reads such a file instead of executing anything, so that the same
measurements can be compared with another prediction.

"Exchange" is the time of both all-to-alls, from the arrival of the last rank to
the departure of the last rank; "experts" is the time of the slowest rank.
"""
import argparse
import json
import math
import os
import random
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
CLUSTER = os.path.join(root, "bench/cluster/cluster.sh")
CONFIG = os.path.join(root, "examples/configs/mixtral-8x7b.json")
EXPERTS = 8


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def on_cluster(ranks, *command):
    return run(CLUSTER, "run", str(ranks), *command)


def write_programs(base, ranks, tokens, top_k, hidden, counts):
    """Padded and ragged programs, and the capacity of the padded one."""
    import_model = ["moe-translate", "--import-hf-config", CONFIG,
                    "--layers=1", "--micro-batch=1", "--dtype=f32",
                    f"--seq-len={tokens}", f"--hidden-size={hidden}",
                    "--expert-ffn-size=64", f"--num-experts={EXPERTS}",
                    f"--top-k={top_k}", f"--ep={ranks}", "--tp=1"]
    most = max(max(row) for row in counts)
    run(*import_model, "--routing=dropless", "-o", f"{base}-ragged.mlir")
    factor = most * EXPERTS / (top_k * tokens)
    run(*import_model, f"--capacity-factor={factor!r}", "-o",
        f"{base}-padded.mlir")
    with open(f"{base}-padded.mlir") as file:
        text = file.read()
    # Buffers are [ranks, experts of a rank, capacity, hidden].
    found = re.search(r"moe\.all_to_all .*-> tensor<"
                      rf"{ranks}x{EXPERTS // ranks}x(\d+)x{hidden}xf32>", text)
    if not found or int(found[1]) < most:
        sys.exit(f"ragged.py: expected buffers of {most} rows an expert, got "
                 f"{found and found[1]}")
    return int(found[1])


def read_parts(path):
    """The times of the exchanges and of the experts of a timeline, in us."""
    with open(path) as file:
        events = [event for event in json.load(file)["traceEvents"]
                  if event.get("ph") == "X"]
    tasks = {}
    for event in events:
        tasks.setdefault(event["name"], []).append(event)
    exchange = experts = 0
    for name, own in tasks.items():
        if "all_to_all" in name:
            exchange += max(event["ts"] + event["dur"] for event in own) - max(
                event["ts"] for event in own)
        elif name.startswith("experts"):
            experts += max(event["dur"] for event in own)
    return exchange, experts


def measure(program, ranks, traffic, folder):
    trace = os.path.join(folder, "measured.json")
    words = on_cluster(ranks, "moe-run", program, "--backend=mpi",
                       "--repeat=5", f"--trace={trace}",
                       "--max-bytes=4000000000", *traffic).split()
    exchange, experts = read_parts(trace)
    os.remove(trace)
    return float(words[words.index("median") + 1]), exchange, experts


def predict(program, platform, traffic, folder):
    trace = os.path.join(folder, "predicted.json")
    sim = json.loads(run("moe-sim", program, f"--platform={platform}",
                         "--json", f"--trace={trace}", *traffic))
    exchange, experts = read_parts(trace)
    os.remove(trace)
    return sim["makespan_us"], exchange, experts


def draw_trace(path, weights, ranks, tokens, top_k):
    """A trace with a step for each list of weights."""
    rng = random.Random(1)

    def draw_rank(row):
        counts = [0] * EXPERTS
        for _ in range(tokens):
            chosen = set()
            while len(chosen) < top_k:
                chosen.update(rng.choices(range(EXPERTS), row))
            for expert in chosen:
                counts[expert] += 1
        return counts

    with open(path, "w") as file:
        json.dump({"top_k": top_k, "tokens": tokens, "steps": [
            {"step": i, "layers": [{"layer": "0", "counts": [
                draw_rank(row) for _ in range(ranks)]}]}
            for i, row in enumerate(weights)]}, file)


def busiest(rows, per_node):
    """The most that one node sends to or receives from the others."""
    nodes = len(rows) // per_node
    out, into = [0] * nodes, [0] * nodes
    for i, row in enumerate(rows):
        for j, size in enumerate(row):
            if i // per_node != j // per_node:
                out[i // per_node] += size
                into[j // per_node] += size
    return max(out + into)


def to_ranks(counts, ranks):
    own = EXPERTS // ranks
    return [[sum(row[j * own:(j + 1) * own]) for j in range(ranks)]
            for row in counts]


def read_times(path):
    with open(path) as file:
        return {tuple(row[:3]): tuple(row[3:]) for row in json.load(file)}


def write_times(path, measured):
    with open(path, "w") as file:
        json.dump([[*key, *times] for key, times in measured.items()], file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ranks_per_node", type=int)
    parser.add_argument("folder")
    parser.add_argument("--exponents", default="0.5,1,1.5")
    parser.add_argument("--hidden", default="64,256,1024,2048")
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--top-k", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--platform")
    parser.add_argument("--traffic")
    parser.add_argument("--counts")
    parser.add_argument("--times")
    arguments = parser.parse_args()
    words = run(CLUSTER, "status").split()
    nodes, rate = int(words[0]), words[-1]
    per_node = arguments.ranks_per_node
    ranks = nodes * per_node
    if EXPERTS % ranks:
        sys.exit(f"ragged.py: expected ranks that divide {EXPERTS} experts, "
                 f"got {ranks}")
    folder, tokens, top_k = (arguments.folder, arguments.tokens,
                             arguments.top_k)
    kinds = ["padded", "ragged"] + ["deduplicated"] * (per_node > 1)
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, f"ragged-{nodes}x{per_node}")
    platform = arguments.platform
    if not platform:
        platform = base + ".json"
        print(on_cluster(ranks, "moe-profile", "measure", "--backend=mpi", "-o",
                         platform, "--max-bytes=33554432",
                         "--seconds-per-size=0.2",
                         f"--name=ragged-{nodes}x{per_node}"), file=sys.stderr)
    with open(platform) as file:
        stated = json.load(file)
    network = stated["levels"][-1]
    # The number of bytes that take 20 times as long as an empty message.
    least = 20 * network.get("latency_us", 0) * network["bandwidth_GBps"] * 1e3

    # (name, options for the traffic, counts by rank and expert)
    cases = []
    if arguments.counts:
        with open(arguments.counts) as file:
            domains = json.load(file)["mistral"]["expert_counts"].values()
        arguments.traffic = base + "-counts.json"
        draw_trace(arguments.traffic, [row for layers in domains
                                       for row in layers], ranks, tokens, top_k)
    if arguments.traffic:
        with open(arguments.traffic) as file:
            steps = json.load(file)["steps"]
        cases = [(f"step {step['step']}", [f"--traffic={arguments.traffic}",
                                           f"--step={step['step']}"],
                  step["layers"][0]["counts"]) for step in steps]
        for _, _, counts in cases:
            if [len(row) for row in counts] != [EXPERTS] * ranks:
                sys.exit(f"ragged.py: expected {ranks} rows of {EXPERTS} "
                         f"experts in {arguments.traffic}")
    for exponent in [] if arguments.traffic else arguments.exponents.split(","):
        path = f"{base}-zipf-{exponent}.json"
        with open(path, "w") as file:
            file.write(run("moe-plan", "traffic", "--generate=zipf",
                           f"--ranks={ranks}", f"--experts={EXPERTS}",
                           f"--tokens={tokens}", f"--top-k={top_k}",
                           f"--exponent={exponent}", "--seed=1"))
        with open(path) as file:
            counts = json.load(file)["steps"][0]["layers"][0]["counts"]
        cases.append((f"Zipf {exponent}", [f"--traffic={path}"], counts))

    rows, programs, predicted, measured = [], {}, {}, {}
    for hidden in map(int, arguments.hidden.split(",")):
        for what, traffic, counts in cases:
            name = f"{base}-{what.replace(' ', '-')}-{hidden}"
            capacity = write_programs(name, ranks, tokens, top_k, hidden,
                                      counts)
            rows.append((hidden, what, counts, capacity))
            if "deduplicated" in kinds:
                run("moe-opt", f"{name}-ragged.mlir", "-o",
                    f"{name}-deduplicated.mlir", "--moe-compile=to=schedule "
                    f"strategy=node-dedup degree=1 platform={platform}")
            for kind in kinds:
                program = f"{name}-{kind}.mlir"
                programs[hidden, what, kind] = program, traffic
                predicted[hidden, what, kind] = predict(
                    program, platform, traffic, folder)
    # Rounds alternate between programs and the best round counts, so that other
    # work on the machine affects all of them.
    if arguments.times:
        measured = read_times(arguments.times)
        if measured.keys() != programs.keys():
            sys.exit(f"ragged.py: expected times of {sorted(programs)} in "
                     f"{arguments.times}, got {sorted(measured)}")
    for _ in range(0 if arguments.times else arguments.rounds):
        for key, (program, traffic) in programs.items():
            times = measure(program, ranks, traffic, folder)
            measured[key] = tuple(map(min, zip(times, measured.get(
                key, (math.inf,) * 3))))
    for program, _ in programs.values():
        os.remove(program)
    write_times(f"{base}-times.json", measured)

    header = ["bytes of a row", "routing", "capacity", "busiest node, KiB, "
              "padded", "ragged", "ratio", "exchange us, padded", "ragged",
              "ratio", "of that of bytes", "exchange and experts, ratio",
              "predicted", "off", "makespan, ratio", "predicted"]
    lines = [f"{nodes} nodes of {per_node} ranks, links of {rate} each way; "
             f"{tokens} tokens a rank, {EXPERTS} experts, top-{top_k}, FFN of "
             "64. Ratios are padded over ragged.", "",
             "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    worst, least_share = 0, math.inf
    for hidden, what, counts, capacity in rows:
        full = EXPERTS // ranks * capacity
        bytes_of = {
            "padded": 4 * hidden * busiest([[full] * ranks] * ranks, per_node),
            "ragged": 4 * hidden * busiest(to_ranks(counts, ranks), per_node)}
        by_bytes = bytes_of["padded"] / bytes_of["ragged"]
        got = {kind: measured[hidden, what, kind] for kind in kinds}
        said = {kind: predicted[hidden, what, kind] for kind in kinds}
        exchange = got["padded"][1] / got["ragged"][1]
        both = sum(got["padded"][1:]) / sum(got["ragged"][1:])
        both_said = sum(said["padded"][1:]) / sum(said["ragged"][1:])
        is_large = bytes_of["ragged"] > least
        if is_large:
            worst = max(worst, abs(both / both_said - 1))
            least_share = min(least_share, exchange / by_bytes)
        lines.append("| " + " | ".join(map(str, [
            4 * hidden, what, capacity, bytes_of["padded"] >> 10,
            bytes_of["ragged"] >> 10, f"{by_bytes:.2f}",
            f"{got['padded'][1]:.0f}", f"{got['ragged'][1]:.0f}",
            f"{exchange:.2f}", f"{exchange / by_bytes:.2f}"
            + ("" if is_large else " (short)"), f"{both:.2f}",
            f"{both_said:.2f}", f"{100 * (both / both_said - 1):+.0f} %",
            f"{got['padded'][0] / got['ragged'][0]:.2f}",
            f"{said['padded'][0] / said['ragged'][0]:.2f}"])) + " |")
    lines += ["", f"Where the busiest node's bytes are more than 20 latencies "
              f"of the link's ({least / 1024:.0f} KiB), the rows without "
              f"\"short\": the exchange gains at least {least_share:.2f} of "
              "the ratio of bytes, and what exchange and experts gain is at "
              f"most {100 * worst:.0f} % off what moe-sim says."]
    if "deduplicated" in kinds:
        lines += ["", "Tokens that are sent once a node, beside their copies "
                  "each on its own (ragged over deduplicated):", "",
                  "| bytes of a row | routing | exchange us | ratio | "
                  "predicted | off | makespan, ratio | predicted |",
                  "|" + "---|" * 8]
        for hidden, what, _, _ in rows:
            got, said = ([times[hidden, what, "ragged"][i] /
                          times[hidden, what, "deduplicated"][i]
                          for i in (1, 0)] for times in (measured, predicted))
            lines.append(
                f"| {4 * hidden} | {what} | "
                f"{measured[hidden, what, 'deduplicated'][1]:.0f} | "
                f"{got[0]:.2f} | {said[0]:.2f} | "
                f"{100 * (got[0] / said[0] - 1):+.0f} % | {got[1]:.2f} | "
                f"{said[1]:.2f} |")
    lines += ["", "Predicted and measured, us (exchange, experts, makespan):",
              "", "| bytes of a row | routing | kind | exchange | predicted | "
              "experts | predicted | makespan | predicted |",
              "|" + "---|" * 9]
    for (hidden, what, kind), got in measured.items():
        said = predicted[hidden, what, kind]
        lines.append(f"| {4 * hidden} | {what} | {kind} | " + " | ".join(
            f"{got[i]:.0f} | {said[i]:.0f}" for i in (1, 2, 0)) + " |")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    with open(base + ".md", "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
