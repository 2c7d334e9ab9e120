"""Compares `moe-plan dispatch` with a linear program that GLPK solves.

usage: dispatch_lp.py TRIALS

Draws trees, links and demands. The least time under which every delivery of a
dispatch with the demand's sums ends (SPEC TA-5) is one program: minimise T where
alpha + beta * bytes * c <= T for each pair of devices, and sums of rows and
columns are given. `optimal_us` and the time of --planner=exact must be its
value, and the closed form's no less. The program counts the latency also of
pairs that send nothing, so it does not end before the largest of these.
"""

import json
import random
import re
import subprocess
import sys
import tempfile

CLOSE = 1e-6


def draw_tree(rng, depth):
    if depth == 0 or rng.random() < 0.3:
        return rng.randint(1, 4)
    return [draw_tree(rng, depth - 1) for _ in range(rng.randint(1, 3))]


def count(tree):
    return tree if isinstance(tree, int) else sum(map(count, tree))


def height(tree):
    return 1 if isinstance(tree, int) else 1 + max(map(height, tree))


def list_levels(tree):
    """The level of each pair: the height of the lowest switch above both."""
    if isinstance(tree, int):
        return [[int(i != j) for j in range(tree)] for i in range(tree)]
    parts = [list_levels(part) for part in tree]
    n, at = sum(map(len, parts)), 0
    levels = [[height(tree)] * n for _ in range(n)]
    for part in parts:
        for i, row in enumerate(part):
            levels[at + i][at:at + len(part)] = row
        at += len(part)
    return levels


def draw_platform(rng, levels):
    bandwidth, made, ranks = 300.0, [], 1
    for level in range(levels):
        bandwidth *= 0.1 + 0.9 * rng.random()
        ranks *= 64
        made.append({
            "name": f"level{level}", "ranks": ranks, "ranks_per_nic": 1,
            "bandwidth_GBps": round(bandwidth, 6), "origin": "drawn",
            "latency_us": rng.choice([0, round(10 * rng.random(), 3)]),
            "latency_origin": "drawn"})
    return {"name": "drawn", "origin": "drawn", "levels": made,
            "copy_bandwidth_GBps": 1000, "copy_latency_us": 0,
            "copy_origin": "drawn"}


def solve(folder, levels, links, rows, token_bytes, pinned):
    n = len(levels)
    pairs = [(i, j) for i in range(n) for j in range(n)]
    free = [(i, j) for i, j in pairs if not pinned or i != j]
    kept = rows / n if pinned else 0

    def time(level):
        alpha, gbps = links[level]
        return alpha, token_bytes * 1e-3 / gbps

    bounds = []
    for i, j in pairs:
        alpha, per_token = time(levels[i][j])
        if (i, j) in free:
            bounds.append(f"{per_token!r} c{i}_{j} - T <= {-alpha!r}")
        else:
            bounds.append(f"T >= {alpha + per_token * kept!r}")
    for i in range(n):
        for line in ([p for p in free if p[0] == i],
                     [p for p in free if p[1] == i]):
            if line:
                total = " + ".join(f"c{a}_{b}" for a, b in line)
                bounds.append(f"{total} = {rows - kept!r}")
    with open(f"{folder}/p.lp", "w") as file:
        file.write("Minimize\n T\nSubject To\n " + "\n ".join(bounds) +
                   "\nEnd\n")
    run = subprocess.run(["glpsol", "--lp", f"{folder}/p.lp", "-w",
                          f"{folder}/p.sol"], capture_output=True, text=True)
    solution = open(f"{folder}/p.sol").read()
    head = re.search(r"^s bas \d+ \d+ (\w) (\w) (\S+)", solution, re.M)
    assert run.returncode == 0 and head and head[1] + head[2] == "ff", run.stdout
    return float(head[3])


def main():
    rng = random.Random(5)
    gaps = []
    for _ in range(int(sys.argv[1])):
        tree = draw_tree(rng, 2)
        devices = count(tree)
        tokens, top_k = rng.randint(1, 4000), rng.randint(1, 4)
        token_bytes = rng.choice([64, 1024, 8192])
        local = rng.choice(["pinned", "bandwidth"])
        with tempfile.TemporaryDirectory() as folder:
            json.dump(draw_platform(rng, height(tree)),
                      open(f"{folder}/drawn.json", "w"))
            plan = [
                "moe-plan", "dispatch", f"--platform={folder}/drawn.json",
                f"--topology={json.dumps(tree)}", f"--tokens={tokens}",
                f"--top-k={top_k}", f"--experts={devices * top_k}",
                f"--bytes-per-token={token_bytes}", f"--local={local}",
                "--json"]
            closed, exact = (
                json.loads(subprocess.run(plan + more, check=True,
                                          capture_output=True).stdout)
                for more in ([], ["--planner=exact"]))
            links = [(link["alpha_us"], link["gigabytes_per_second"])
                     for link in closed["links"]]
            links = [links[-1]] + links[:-1]
            levels = list_levels(tree)
            least = solve(folder, levels, links, tokens * top_k, token_bytes,
                          local == "pinned")
        latency = max(links[level][0] for row in levels for level in row)
        for us in (closed["optimal_us"], exact["target_us"]):
            assert abs(max(us, latency) - least) <= CLOSE * least, (
                plan, us, least)
        assert closed["target_us"] >= closed["optimal_us"]
        gaps.append(closed["target_us"] / closed["optimal_us"] - 1)
    gaps.sort()
    print(f"{len(gaps)} programs, none differs")
    print(f"closed form above the optimum: median {gaps[len(gaps) // 2]:.3f}, "
          f"most {gaps[-1]:.3f}")


main()
