#!/usr/bin/env python3
"""Checks ragged exchanges by random count matrices against padded ones.

usage: random_counts.py DIRECTORY MATRICES OPTION...

Writes two programs for every 25 matrices, of layers that exchange rows by
counts: padded.mlir with slots for the largest count, and dropless.mlir with
moe.ragged_plan and runs. moe-run must find them equal with the options. In some
matrices all counts are zero, one expert gets all, one rank sends nothing, or
one rank gets all.
"""

import random
import subprocess
import sys

HIDDEN, FFN = 2, 3


def draw_matrix(draw, ranks, experts):
    kind = draw.choice(["zeros", "hot", "silent", "one", "any", "any", "any"])
    hot, quiet = draw.randrange(experts), draw.randrange(ranks)
    owner = draw.randrange(ranks) * (experts // ranks)
    rows = []
    for rank in range(ranks):
        row = [draw.choice([0, 0, 1, 2, 5]) for _ in range(experts)]
        if kind == "zeros" or (kind == "silent" and rank == quiet):
            row = [0] * experts
        if kind == "hot":
            row = [n if e == hot else 0 for e, n in enumerate(row)]
        if kind == "one":
            row = [n if 0 <= e - owner < experts // ranks else 0
                   for e, n in enumerate(row)]
        rows.append(row)
    return rows


def constant(values):
    return f"dense<{values}>"


def layer(number, counts, ranks, dropless):
    """The ops of a layer; its results are %y, %dx, %dw1 and %dw2."""
    experts = len(counts[0])
    local = experts // ranks
    length = max(1, max(map(sum, counts)))
    capacity = max(1, max(map(max, counts)))
    limit = max(1, max(sum(counts[i][p * local + e] for i in range(ranks)
                           for e in range(local)) for p in range(ranks)))
    out = []
    n = f"l{number}_"
    t = lambda *shape, of="f32": "tensor<" + "".join(f"{s}x" for s in shape) + f"{of}>"
    row, weight1 = t(length, HIDDEN), t(local, HIDDEN, FFN)
    weight2 = t(local, FFN, HIDDEN)
    for name in ("x", "dy"):
        out.append(f"%{n}{name} = tensor.extract_slice %{name}[0, 0] [{length}, {HIDDEN}] [1, 1] : tensor<64x{HIDDEN}xf32> to {row}")
    for name, type_, whole in (("w1", weight1, f"4x{HIDDEN}x{FFN}"), ("w2", weight2, f"4x{FFN}x{HIDDEN}")):
        sizes = type_[7:-5].replace("x", ", ")
        out.append(f"%{n}{name} = tensor.extract_slice %{name}[0, 0, 0] [{sizes}] [1, 1, 1] : tensor<{whole}xf32> to {type_}")
    # Positions of a rank's rows after their return; -1 for rows that it does
    # not send.
    table = []
    for own in counts:
        slots = [e * capacity + c for e, count in enumerate(own) for c in range(count)]
        if dropless:
            slots = list(range(len(slots)))
        table.append([[s] for s in slots + [-1] * (length - len(slots))])
    slots = t(length, 1, of="i32")
    out += [
        f"%{n}t = arith.constant {constant(table)} : {t(ranks, length, 1, of='i32')}",
        f"%{n}mine = moe.drop %{n}t on <@mesh, [\"ep\"]> dim 0 : {t(ranks, length, 1, of='i32')} -> {t(1, length, 1, of='i32')}",
        f"%{n}s = tensor.collapse_shape %{n}mine [[0, 1], [2]] : {t(1, length, 1, of='i32')} into {slots}",
        f"%{n}one = arith.constant dense<1.0> : {t(length, 1)}",
    ]
    if dropless:
        vec, runs, buffer = t(ranks, of="i32"), t(ranks, local, of="i32"), t(limit, HIDDEN)
        out += [
            f"%{n}c = arith.constant {constant(counts)} : {t(ranks, experts, of='i32')}",
            f"%{n}p:6 = moe.ragged_plan %{n}c on <@mesh, [\"ep\"]> limit {limit} : {t(ranks, experts, of='i32')} -> {vec}, {runs}",
            f"%{n}e = tensor.empty() : {buffer}",
            f"%{n}z = tensor.empty() : {row}",
        ]

        def exchange(result, value, into, send, recv, from_type, to_type):
            out.append(f"%{n}{result} = moe.ragged_all_to_all %{n}{value} into %{n}{into} on <@mesh, [\"ep\"]> send(%{n}p#{send}, %{n}p#{send + 1}) recv(%{n}p#{recv}, %{n}p#{recv + 1}) : {from_type}, {vec} -> {to_type}")

        def back(result, value):
            exchange(result + "0", value, "z", 2, 0, buffer, row)
            out.append(f"%{n}{result} = moe.unpermute %{n}{result}0 by %{n}s weights %{n}one : {row}, {slots}, {t(length, 1)} -> {row}")

        at = f"runs(%{n}p#4, %{n}p#5 : {runs})"
        exchange("in", "x", "e", 0, 2, row, buffer)
        out.append(f"%{n}out = moe.experts gpt %{n}in {at}, %{n}w1, %{n}w2 : {buffer}, {weight1}, {weight2} -> {buffer}")
        back("y", "out")
        exchange("din", "dy", "e", 0, 2, row, buffer)
        out.append(f"%{n}dout = moe.experts_dgrad gpt %{n}din at %{n}in {at}, %{n}w1, %{n}w2 : {buffer}, {weight1}, {weight2}")
        out.append(f"%{n}dw:2 = moe.experts_wgrad gpt %{n}din at %{n}in {at}, %{n}w1, %{n}w2 : {buffer}, {weight1}, {weight2} -> {weight1}, {weight2}")
        back("dx", "dout")
    else:
        block, turned = t(ranks, local, capacity, HIDDEN), t(local, ranks, capacity, HIDDEN)

        def there(result, value):
            out.append(f"%{n}{result}0 = moe.scatter %{n}{value} by %{n}s : {row}, {slots} -> {block}")
            out.append(f"%{n}{result}1 = moe.all_to_all %{n}{result}0 on <@mesh, [\"ep\"]> split 0 concat 0 : {block} -> {block}")
            out.append(f"%{n}{result} = moe.transpose %{n}{result}1 [1, 0, 2, 3] : {block} -> {turned}")

        def back(result, value):
            out.append(f"%{n}{result}0 = moe.transpose %{n}{value} [1, 0, 2, 3] : {turned} -> {block}")
            out.append(f"%{n}{result}1 = moe.all_to_all %{n}{result}0 on <@mesh, [\"ep\"]> split 0 concat 0 : {block} -> {block}")
            out.append(f"%{n}{result} = moe.unpermute %{n}{result}1 by %{n}s weights %{n}one : {block}, {slots}, {t(length, 1)} -> {row}")

        there("in", "x")
        out.append(f"%{n}out = moe.experts gpt %{n}in, %{n}w1, %{n}w2 : {turned}, {weight1}, {weight2} -> {turned}")
        back("y", "out")
        there("din", "dy")
        out.append(f"%{n}dout = moe.experts_dgrad gpt %{n}din at %{n}in, %{n}w1, %{n}w2 : {turned}, {weight1}, {weight2}")
        out.append(f"%{n}dw:2 = moe.experts_wgrad gpt %{n}din at %{n}in, %{n}w1, %{n}w2 : {turned}, {weight1}, {weight2} -> {weight1}, {weight2}")
        back("dx", "dout")
    values = [f"%{n}y", f"%{n}dx", f"%{n}dw#0", f"%{n}dw#1"]
    return out, values, [row, row, weight1, weight2]


def program(matrices, ranks, dropless):
    body, values, types = [], [], []
    for number, counts in enumerate(matrices):
        ops, own, own_types = layer(number, counts, ranks, dropless)
        body += ops
        values += own
        types += own_types
    text = "\n  ".join(body)
    return f"""moe.mesh @mesh axes ["ep"] shape [{ranks}]
func.func @main(%x: tensor<64x{HIDDEN}xf32>, %dy: tensor<64x{HIDDEN}xf32>, %w1: tensor<4x{HIDDEN}x{FFN}xf32>, %w2: tensor<4x{FFN}x{HIDDEN}xf32>) -> ({', '.join(types)}) {{
  {text}
  return {', '.join(values)} : {', '.join(types)}
}}
"""


def main():
    directory, count, *options = sys.argv[1:]
    draw = random.Random(7)
    done = 0
    while done < int(count):
        ranks = draw.choice([1, 2, 3, 4])
        matrices = [draw_matrix(draw, ranks, ranks * draw.choice([1, 2, 3]))
                    for _ in range(25)]
        for name, dropless in (("padded", False), ("dropless", True)):
            with open(f"{directory}/{name}.mlir", "w") as file:
                file.write(program(matrices, ranks, dropless))
        for more in options:
            run = subprocess.run(["moe-run", f"{directory}/dropless.mlir",
                                  f"--against={directory}/padded.mlir",
                                  *more.split()], capture_output=True, text=True)
            if run.returncode != 0 or "equal: " not in run.stdout:
                sys.exit(f"matrices {done} to {done + 25}: {run.stdout}{run.stderr}")
        done += len(matrices)
    print(f"{done} matrices: no difference")


main()
