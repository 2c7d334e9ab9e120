#!/usr/bin/env python3
"""Times the variants of an all-to-all on a cluster that cluster.sh created.

  forms.py RANKS_PER_NODE FOLDER [--sizes=BYTES,...]

Experts are distributed over nodes, tensor parallelism over the ranks of a node,
so every rank of a node has the same buffer. For each size the flat all-to-all,
slice/all-to-all/all-gather (o1) and its pipelined variants (o2, o3) are
executed as compiled code, and predicted by moe-sim on the platform that
moe-profile measures on this cluster first. moe-plan's choice on that platform
is executed, too. Prints tables; writes them and a plot into FOLDER.
"""
import argparse
import json
import math
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
FORMS = [("flat", 1), ("o1", 1), ("o2", 2), ("o2", 4), ("o3", 2), ("o3", 4)]
COPIES = {"o2": "intra", "o3": "own"}
# moe-plan's names.
NAMES = {"baseline": "flat", "o1": "o1", "o2": "o2", "o3": "o3"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def on_cluster(ranks, *command):
    return run(os.path.join(here, "cluster.sh"), "run", str(ranks), *command)


def describe(form):
    name, chunks = form
    return name if chunks == 1 else f"{name} in {chunks}"


def write_program(path, size, nodes, per_node):
    hidden = 256
    slots = size // (4 * hidden * nodes)
    tensor = f"tensor<{nodes}x1x{slots}x{hidden}xf32>"
    with open(path, "w") as file:
        file.write(
            f'moe.mesh @mesh axes ["ep", "tp"] shape [{nodes}, {per_node}]\n'
            f'func.func @main(%x: {tensor} {{moe.varying = ["ep"]}}) '
            f"-> {tensor} {{\n"
            f'  %r = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0\n'
            f"     : {tensor} -> {tensor}\n"
            f"  return %r : {tensor}\n}}\n")


def get_passes(form):
    name, chunks = form
    if name == "flat":
        return []
    passes = ["--moe-decompose-all-to-all"]
    if name in COPIES and chunks > 1:
        passes.append(f"--moe-pipeline=degree={chunks} copies={COPIES[name]}")
    return passes


def measure(program, ranks, size):
    # Uses the median: in a few executions ranks start so far apart that groups
    # on a shared link use it one after the other, and each seems to have it
    # alone.
    repeats = max(3, min(100, (64 << 20) // size))
    words = on_cluster(ranks, "moe-run", program, "--backend=mpi",
                       f"--repeat={repeats}", "--max-bytes=4000000000").split()
    return float(words[words.index("median") + 1])


def print_size(size):
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def plot(path, sizes, series, title):
    """Plots speedups over sizes; both axes are logarithmic."""
    width, height, left, bottom, top, right = 760, 420, 60, 50, 40, 150
    values = [v for line in series.values() for v in line]
    low, high = min(values + [1]) / 1.1, max(values + [1]) * 1.1

    def at(i, value):
        x = left + i * (width - left - right) / max(1, len(sizes) - 1)
        span = math.log(high / low)
        y = height - bottom - math.log(value / low) / span * (
            height - bottom - top)
        return x, y

    colors = ["#1b6ca8", "#d1495b", "#edae49", "#2e8b57", "#7b4fa3", "#555555",
              "#00a6a6", "#a0522d"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="14">{title}</text>']
    tick = 2.0 ** math.ceil(math.log2(low))
    while tick <= high:
        x, y = at(0, tick)
        end = at(len(sizes) - 1, tick)[0]
        out.append(f'<line x1="{x}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}" '
                   f'stroke="{"#888" if tick == 1 else "#ddd"}"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" '
                   f'text-anchor="end">{tick:g}</text>')
        tick *= 2
    for i, size in enumerate(sizes):
        x = at(i, low)[0]
        out.append(f'<text x="{x:.1f}" y="{height - bottom + 20}" '
                   f'text-anchor="middle">{print_size(size)}</text>')
    for n, (name, line) in enumerate(series.items()):
        color = colors[n % len(colors)]
        points = " ".join("%.1f,%.1f" % at(i, v) for i, v in enumerate(line))
        out.append(f'<polyline points="{points}" fill="none" stroke="{color}" '
                   'stroke-width="2"/>')
        y = top + 18 * n + 12
        out.append(f'<rect x="{width - right + 15}" y="{y - 9}" width="12" '
                   f'height="4" fill="{color}"/>')
        out.append(f'<text x="{width - right + 33}" y="{y - 3}">{name}</text>')
    out.append(f'<text x="{left}" y="{height - 10}">buffer of a rank; speedup '
               "over the flat all-to-all, measured</text></svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ranks_per_node", type=int)
    parser.add_argument("folder")
    parser.add_argument("--sizes", default=",".join(
        str(65536 << shift) for shift in range(0, 11, 2)))
    parser.add_argument("--rounds", type=int, default=4)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    words = run(os.path.join(here, "cluster.sh"), "status").split()
    nodes, rate = int(words[0]), words[-1]
    per_node = arguments.ranks_per_node
    ranks = nodes * per_node
    os.makedirs(arguments.folder, exist_ok=True)
    base = os.path.join(arguments.folder, f"cluster-{nodes}x{per_node}")

    platform = base + ".json"
    report = on_cluster(ranks, "moe-profile", "measure", "--backend=mpi", "-o",
                        platform, f"--max-bytes={max(sizes)}",
                        "--seconds-per-size=0.2",
                        f"--name=cluster-{nodes}x{per_node}")
    with open(base + "-profile.txt", "w") as file:
        file.write(report)

    with open(platform) as file:
        uncertainty = json.load(file).get("uncertainty", 0)
    picks, times, predicted = {}, {}, {}
    programs = {}
    for size in sizes:
        plan = json.loads(run(
            "moe-plan", "all-to-all", f"--platform={platform}",
            f"--bytes={size}", f"--ep={nodes}", f"--tp={per_node}", "--json"))
        picks[size] = (NAMES[plan["chosen"]], plan["chunks"])
        for form in FORMS + [picks[size]]:
            if (size, form) in programs:
                continue
            plain = f"{base}-plain.mlir"
            program = f"{base}-{form[0]}-{form[1]}-{size}.mlir"
            write_program(plain, size, nodes, per_node)
            run("moe-opt", plain, *get_passes(form), "-o", program)
            programs[size, form] = program
            sim = json.loads(run("moe-sim", program, f"--platform={platform}",
                                 "--json"))
            predicted[size, form] = sim["makespan_us"]
    # Rounds alternate between variants and the best round counts, so that other
    # work on the machine affects all of them.
    for _ in range(arguments.rounds):
        for (size, form), program in programs.items():
            us = measure(program, ranks, size)
            times[size, form] = min(us, times.get((size, form), math.inf))
    for program in programs.values():
        os.remove(program)
    os.remove(f"{base}-plain.mlir")

    lines = [f"{nodes} nodes of {per_node} ranks, links of {rate} each way, "
             "shared memory inside.", "", "Measured makespan in us, median of "
             "the best round:", ""]
    header = ["buffer"] + [describe(form) for form in FORMS] + [
        "moe-plan's choice", "its time", "over the best"]
    lines += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    worst = 0
    for size in sizes:
        best = min(times[size, form] for form in FORMS + [picks[size]])
        ratio = times[size, picks[size]] / best
        worst = max(worst, ratio)
        lines.append("| " + " | ".join(
            [print_size(size)] + [f"{times[size, form]:.0f}" for form in FORMS]
            + [describe(picks[size]), f"{times[size, picks[size]]:.0f}",
               f"{ratio:.2f}"]) + " |")
    lines += ["", "Predicted by moe-sim on the measured platform, us, and the "
              "measured time over it:", ""]
    header = ["buffer"] + [describe(form) for form in FORMS]
    lines += ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    for size in sizes:
        lines.append("| " + " | ".join([print_size(size)] + [
            f"{predicted[size, form]:.0f} "
            f"({times[size, form] / predicted[size, form]:.2f})"
            for form in FORMS]) + " |")
    lines += ["", f"The measured platform's uncertainty is {uncertainty:.3f}."]
    lines += ["", f"moe-plan's choice takes at most {worst:.2f} times as long "
              "as the best."]
    gains = [times[size, ("flat", 1)] / times[size, ("o1", 1)]
             for size in sizes]
    lines += [f"o1 is {min(gains):.2f} to {max(gains):.2f} times as fast as the "
              "flat all-to-all."]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    with open(base + ".md", "w") as file:
        file.write(text)
    plot(base + ".svg", sizes, {
        describe(form): [times[size, ("flat", 1)] / times[size, form]
                         for size in sizes] for form in FORMS[1:]},
        f"Forms of an all-to-all, {nodes} nodes of {per_node} ranks, {rate}")


main()
