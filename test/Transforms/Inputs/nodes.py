#!/usr/bin/env python3
"""Node deduplication of tokens with random experts.

usage: nodes.py DIRECTORY TRIALS

Draws the experts of tokens: any, all experts (k = E), one expert for all
tokens, experts of the own node, of one node. For each draw it writes a dropless
layer with its backward pass, deduplicates its tokens per node with moe-opt, and
compares both with moe-run, on terms and on values, and compiled code with the
interpreter bit for bit. The planned bytes to other nodes must be lower by
exactly the copies that a node would receive again.
"""

import random
import re
import subprocess
import sys

M, H = 2, 3
MESHES = [(2, 2), (2, 1), (3, 2), (1, 2), (2, 3)]


def draw_ids(draw, nodes, places, own, tokens, kind):
    ranks = nodes * places
    experts = ranks * own
    per_node = places * own
    k = experts if kind == "all" else draw.randint(1, min(4, experts))
    hot = draw.randrange(experts)
    table = []
    for rank in range(ranks):
        rows = []
        for _ in range(tokens):
            if kind == "one":
                rows.append([hot] * k)
                continue
            home = {"home": rank // places, "node": hot // per_node}.get(kind)
            pool = list(range(experts))
            if home is not None:
                pool = pool[home * per_node:(home + 1) * per_node]
            draw.shuffle(pool)
            rows.append((pool * k)[:k])
        table.append(rows)
    return k, experts, table


def program(nodes, places, own, tokens, k, experts, table):
    ranks = nodes * places
    limit = ranks * tokens * k
    nested = [table[n * places:(n + 1) * places] for n in range(nodes)]
    group = '<@mesh, ["node", "place"]>'
    ids, rows = f"tensor<{tokens}x{k}xi32>", f"tensor<{tokens * k}x{M}xf32>"
    x, w, room = f"tensor<{tokens}x{M}xf32>", f"tensor<{tokens}x{k}xf32>", f"tensor<{limit}x{M}xf32>"
    g, runs = f"tensor<{ranks}xi32>", f"tensor<{ranks}x{own}xi32>"
    w1, w2 = f"tensor<{own}x{M}x{H}xf32>", f"tensor<{own}x{H}x{M}xf32>"
    columns = experts + nodes
    width = min(k, nodes)
    mine = f"""
  %t = arith.constant dense<{nested}> : tensor<{nodes}x{places}x{tokens}x{k}xi32>
  %t1 = moe.drop %t on <@mesh, ["node"]> dim 0 : tensor<{nodes}x{places}x{tokens}x{k}xi32> -> tensor<1x{places}x{tokens}x{k}xi32>
  %t2 = moe.drop %t1 on <@mesh, ["place"]> dim 1 : tensor<1x{places}x{tokens}x{k}xi32> -> tensor<1x1x{tokens}x{k}xi32>
  %ids = tensor.collapse_shape %t2 [[0, 1, 2], [3]] : tensor<1x1x{tokens}x{k}xi32> into {ids}
  %n = moe.expert_counts %ids : {ids} -> tensor<{experts}xi32>
  %n1 = tensor.expand_shape %n [[0, 1]] output_shape [1, {experts}] : tensor<{experts}xi32> into tensor<1x{experts}xi32>
  %all = moe.all_gather %n1 on {group} dim 0 : tensor<1x{experts}xi32> -> tensor<{ranks}x{experts}xi32>
  %so, %ss, %ro, %rs, %po, %ps = moe.ragged_plan %all on {group} limit {limit} : tensor<{ranks}x{experts}xi32> -> {g}, {runs}"""
    exchange = lambda a, b: f"on {group} send(%{a}o, %{a}s) recv(%{b}o, %{b}s)"
    return f"""
moe.mesh @mesh axes ["node", "place"] shape [{nodes}, {places}]
func.func @main(%x: {x}, %w: {w}, %a: {w1}, %b: {w2}, %dy: {x}) -> ({x}, {x}, {w1}, {w2}, {w}) {{{mine}
  %o, %l = moe.permute_rows choice %x by %ids experts {experts} : {x}, {ids} -> {rows}, {ids}
  %e = tensor.empty() : {room}
  %f = tensor.empty() : {rows}
  %d = moe.ragged_all_to_all %o into %e {exchange("s", "r")} : {rows}, {g} -> {room}
  %y = moe.experts gpt %d runs(%po, %ps : {runs}), %a, %b : {room}, {w1}, {w2} -> {room}
  %c = moe.ragged_all_to_all %y into %f {exchange("r", "s")} : {room}, {g} -> {rows}
  %z = moe.unpermute %c by %l weights %w : {rows}, {ids}, {w} -> {x}
  %dc = moe.scatter %dy by %l weights %w : {w} : {x}, {ids} -> {rows}
  %dh = moe.ragged_all_to_all %dc into %e {exchange("s", "r")} : {rows}, {g} -> {room}
  %dd = moe.experts_dgrad gpt %dh at %d runs(%po, %ps : {runs}), %a, %b : {room}, {w1}, {w2}
  %do = moe.ragged_all_to_all %dd into %f {exchange("r", "s")} : {room}, {g} -> {rows}
  %one = arith.constant dense<1.0> : {w}
  %dx = moe.unpermute %do by %l weights %one : {rows}, {ids}, {w} -> {x}
  %dw = moe.unpermute_wgrad %dy, %c by %l : {x}, {rows}, {ids} -> {w}
  %da, %db = moe.experts_wgrad gpt %dh at %d runs(%po, %ps : {runs}), %a, %b : {room}, {w1}, {w2} -> {w1}, {w2}
  return %z, %dx, %da, %db, %dw : {x}, {x}, {w1}, {w2}, {w}
}}
""", f"""
moe.mesh @mesh axes ["node", "place"] shape [{nodes}, {places}]
func.func @main() -> ({g}, tensor<{nodes}xi32>) {{{mine}
  %nodes = moe.distinct_nodes %ids experts {experts} nodes {nodes} : {ids} -> tensor<{tokens}x{width}xi32>
  %m = moe.expert_counts %nodes : tensor<{tokens}x{width}xi32> -> tensor<{nodes}xi32>
  %nm = moe.assemble %n, %m dim 0 : tensor<{experts}xi32>, tensor<{nodes}xi32> -> tensor<{columns}xi32>
  %nm1 = tensor.expand_shape %nm [[0, 1]] output_shape [1, {columns}] : tensor<{columns}xi32> into tensor<1x{columns}xi32>
  %both = moe.all_gather %nm1 on {group} dim 0 : tensor<1x{columns}xi32> -> tensor<{ranks}x{columns}xi32>
  %p:10 = moe.node_plan %both on <@mesh, ["node"]> inside <@mesh, ["place"]> limits {nodes * tokens}, {limit} : tensor<{ranks}x{columns}xi32> -> tensor<{nodes}xi32>, tensor<{places}xi32>, tensor<{places}x{own}xi32>
  return %ss, %p#1 : {g}, tensor<{nodes}xi32>
}}
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(" ".join(command) + "\n" + done.stdout + done.stderr)
    return done.stdout


def read_sizes(text, ranks):
    """The two results of each rank, as moe-run prints them."""
    results = [[None] * ranks, [None] * ranks]
    number, members = 0, []
    for line in text.splitlines():
        if found := re.match(r"result (\d):", line):
            number = int(found[1])
        elif found := re.match(r"\s*ranks? ([\d,-]+)", line):
            members = []
            for part in found[1].split(","):
                first, _, last = part.partition("-")
                members += range(int(first), int(last or first) + 1)
        elif line.strip().startswith("["):
            for rank in members or range(ranks):
                results[number][rank] = [int(n) for n in re.findall(r"\d+", line)]
            members = []
    return results


def main(directory, trials):
    draw = random.Random(11)
    kinds = ["any", "all", "one", "home", "node", "any"]
    saved = 0
    for trial in range(trials):
        nodes, places = MESHES[trial % len(MESHES)]
        own, tokens = draw.randint(1, 2), draw.randint(1, 5)
        k, experts, table = draw_ids(draw, nodes, places, own, tokens,
                                     kinds[trial % len(kinds)])
        layer, sizes = program(nodes, places, own, tokens, k, experts, table)
        flat, once, plans = (f"{directory}/{trial}-{name}.mlir"
                             for name in ("flat", "once", "plans"))
        open(flat, "w").write(layer)
        open(plans, "w").write(sizes)
        made = run("moe-opt", flat, "--moe-decompose-all-to-all=mode=node-dedup",
                   "--moe-verify-collectives", "-o", once) or open(once).read()
        if "moe.node_plan" not in made or "moe.ragged_plan" in made:
            sys.exit(f"{once}: expected moe.node_plan alone")
        run("moe-run", once, f"--against={flat}", "--symbolic")
        run("moe-run", once, f"--against={flat}", "--tolerance=1e-5")
        run("moe-run", once, "--backend=host", f"--against={once}",
            "--against-backend=interp")
        ranks, per_node = nodes * places, places * own
        by_rank, by_node = read_sizes(
            run("moe-run", plans, "--print-values"), ranks)
        for rank in range(ranks):
            home = rank // places
            copies = sum(n for j, n in enumerate(by_rank[rank]) if j // places != home)
            rows = sum(n for j, n in enumerate(by_node[rank]) if j != home)
            again = sum(len(away) - len(set(away)) for away in (
                [e // per_node for e in token if e // per_node != home]
                for token in table[rank]))
            if copies - rows != again:
                sys.exit(f"{plans}: rank {rank} sends {copies} copies or {rows} "
                         f"tokens to other nodes, {again} of them again")
            saved += again
    print(f"{trials} draws: no difference, {saved} rows saved between nodes")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
