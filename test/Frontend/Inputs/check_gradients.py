"""Checks the gradients of a training step against central differences.

usage: check_gradients.py TEMPORARY CONFIG [options of the import...]

Imports a small training step in f32, lets it compute in f64, and calls it, in
one program, as it is and with every parameter (and the tokens) moved by +h and
-h along a random direction. With y the forward result, dy its gradient (both
arguments of the program) and L = sum of y * dy over all tokens of the job,

    (L(+h) - L(-h)) / 2h   must equal   the sum of gradient * direction,

each sum over the ranks that hold different data. Ranks on which a parameter is
one must hold one gradient: that is checked bit for bit.
"""

import json
import re
import subprocess
import sys

STEP = 2.0**-19
TOLERANCE = 1e-6

ARGUMENT = re.compile(
    r"%arg(\d+): (tensor<[^>]*>|i64) \{moe\.varying = \[([^\]]*)\]\}"
)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return done.stdout


def flatten(value):
    if not isinstance(value, list):
        return [value]
    return [element for part in value for element in flatten(part)]


def expand(text):
    """Numbers of "0-3,8"."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def parse_results(text):
    """Per result, per rank: all elements."""
    results = []
    for line in text.splitlines():
        if re.match(r"result \d+:", line):
            results.append({})
        elif match := re.match(r"\s+ranks? ([\d,-]+): checksum", line):
            ranks = list(expand(match[1]))
        elif line.strip().startswith("["):
            values = flatten(json.loads(line.replace("nan", "NaN")))
            for rank in ranks:
                results[-1][rank] = values
    return results


def main():
    temporary, config, *options = sys.argv[1:]
    module = run(
        "moe-translate", "--import-hf-config", config,
        "--phase=train", "--dtype=f32", *options,
    )  # fmt: skip
    module = module.replace("xf32>", "xf64>")
    head = next(l for l in module.splitlines() if "func.func @main" in l)
    arguments = [(m[2], m[3]) for m in ARGUMENT.finditer(head)]
    results = re.findall(r"tensor<[^>]*>", head[head.index("->") :])
    axes, shape = re.search(r"axes (\[.*?\]) shape (\[.*?\])", module).groups()
    mesh = dict(zip(json.loads(axes), json.loads(shape)))
    ranks = 1
    for size in mesh.values():
        ranks *= size

    # Gradients are in the order of the parameters, with the dense parts'
    # gradients between them, which have no parameters; the selection bias has
    # no gradient.
    parameters = [
        i for i in range(len(arguments) - 1)
        if len(arguments[i][0].split("x")) > 2
    ]  # fmt: skip
    gradients = {}
    position = 1
    for i in parameters:
        while results[position] != arguments[i][0]:
            assert re.fullmatch(r"tensor<\d+xf64>", results[position]), results
            position += 1
        gradients[i] = position
        position += 1
    assert all(
        re.fullmatch(r"tensor<\d+xf64>", r) for r in results[position:]
    ), results

    # A program that calls the step once unchanged and twice for each parameter.
    types = [t for t, _ in arguments]
    signature = [f"%a{i}: {t} {{moe.varying = [{v}]}}"
                 for i, (t, v) in enumerate(arguments)]  # fmt: skip
    signature += [f"%d{i}: {types[i]} {{moe.varying = [{arguments[i][1]}]}}"
                  for i in parameters]  # fmt: skip
    body, returned = [], []

    def call(name, operands):
        body.append(
            f"%{name}:{len(results)} = func.call @step({', '.join(operands)})"
            f" : ({', '.join(types)}) -> ({', '.join(results)})"
        )

    plain = [f"%a{i}" for i in range(len(arguments))]
    call("y", plain)
    cotangent = len(arguments) - 1
    returned.append((plain[cotangent], types[cotangent]))
    for i in parameters:
        kind = types[i]
        body.append(f"%h{i} = arith.constant dense<{STEP}> : {kind}")
        body.append(f"%m{i} = arith.mulf %h{i}, %d{i} : {kind}")
        returned.append((f"%d{i}", kind))
        returned.append((f"%y#{gradients[i]}", kind))
        for name, op in (("plus", "addf"), ("minus", "subf")):
            moved = f"%{name}_{i}"
            body.append(f"{moved} = arith.{op} %a{i}, %m{i} : {kind}")
            call(f"{name}_y{i}", plain[:i] + [moved] + plain[i + 1 :])
            returned.append((f"%{name}_y{i}#0", results[0]))
    values = ", ".join(v for v, _ in returned)
    kinds = ", ".join(t for _, t in returned)
    text = module.replace("func.func @main", "func.func private @step", 1)
    text = text.rstrip()
    assert text.endswith("}")
    text = (
        text[:-1]
        + f"func.func @main({', '.join(signature)}) -> ({kinds}) {{\n"
        + "\n".join(body)
        + f"\nreturn {values} : {kinds}\n}}\n}}\n"
    )
    with open(temporary, "w") as file:
        file.write(text)
    values = parse_results(run("moe-run", temporary, "--print-values"))
    assert len(values) == len(returned), (len(values), len(returned))

    def coordinates(rank):
        place = {}
        for axis in reversed(mesh):
            rank, place[axis] = divmod(rank, mesh[axis])
        return place

    def owners(argument):
        """A rank for each distinct tensor of an argument."""
        varying = re.findall(r'"(\w+)"', arguments[argument][1])
        return [
            rank for rank in range(ranks)
            if all(p == 0 for a, p in coordinates(rank).items()
                   if a not in varying)
        ]  # fmt: skip

    def check_replicas(argument, tensor, what):
        varying = re.findall(r'"(\w+)"', arguments[argument][1])
        for rank in range(ranks):
            place = coordinates(rank)
            for other in owners(argument):
                theirs = coordinates(other)
                if all(place[axis] == theirs[axis] for axis in varying):
                    if tensor[rank] != tensor[other]:
                        sys.exit(f"{what}: ranks {rank} and {other} differ")

    def dot(argument, a, b):
        return sum(
            x * y
            for rank in owners(argument)
            for x, y in zip(a[rank], b[rank], strict=True)
        )

    dy = values[0]
    largest = 0.0
    for number, i in enumerate(parameters):
        direction, gradient, plus, minus = values[1 + 4 * number :][:4]
        what = f"argument {i} {types[i]}"
        check_replicas(i, gradient, what)
        expected = (dot(cotangent, plus, dy) - dot(cotangent, minus, dy)) / (
            2 * STEP
        )
        got = dot(i, gradient, direction)
        scale = max(abs(expected), abs(got))
        if scale == 0:
            sys.exit(f"{what}: gradient is 0, so nothing is checked")
        error = abs(got - expected) / max(scale, 1.0)
        largest = max(largest, error)
        if error > TOLERANCE:
            sys.exit(f"{what}: expected {expected}, got {got}")
    print(f"{len(parameters)} gradients on {ranks} ranks agree")


main()
