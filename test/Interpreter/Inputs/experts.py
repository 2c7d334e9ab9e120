"""Compares expert networks of every kind, with and without biases, with NumPy.

usage: experts.py (with TMP in the environment)

Tests forward passes and both gradients on random numbers, for which some
products exceed the limits of a clamped SwiGLU. The gradients are also compared
with differences of the NumPy reference.
"""

import json
import os
import re
import subprocess
import sys

import numpy as np

EXPERTS, ROWS, HIDDEN, FFN = 2, 5, 3, 4
STEP = 1e-6


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


ACTIVATIONS = {"gelu": gelu, "relu": lambda x: np.maximum(x, 0),
               "relu2": lambda x: np.maximum(x, 0) ** 2,
               "silu": lambda x: x * sigmoid(x),
               "quick_gelu": lambda x: x * sigmoid(1.702 * x)}


def multiply(x, w, biased):
    """Rows times a matrix, whose last row may be a bias."""
    if not biased:
        return np.einsum("erm,emh->erh", x, w)
    return np.einsum("erm,emh->erh", x, w[:, :-1]) + w[:, -1:]


def experts(kind, activation, biased, x, *weights):
    products = [multiply(x, w, biased) for w in weights[:-1]]
    if kind == "gpt":
        inner = ACTIVATIONS[activation](products[0])
    elif kind == "clamped_swiglu":
        gate, up = np.minimum(products[0], 7), np.clip(products[1], -7, 7)
        inner = ACTIVATIONS["quick_gelu"](gate) * (up + 1)
    else:
        act = ACTIVATIONS["gelu" if kind == "geglu" else "silu"]
        inner = act(products[0]) * products[1]
    return multiply(inner, weights[-1], biased)


def type_of(value):
    return "tensor<" + "x".join(map(str, value.shape)) + "xf64>"


def constant(name, value):
    return (f"  %{name} = arith.constant dense<{json.dumps(value.tolist())}> : "
            f"{type_of(value)}\n")


def check(kind, activation, biased, random):
    more = 1 if biased else 0
    draw = lambda *shape: np.round(random.normal(size=shape) * 2, 3)
    x, dy = draw(EXPERTS, ROWS, HIDDEN), draw(EXPERTS, ROWS, HIDDEN)
    inner = 1 if kind == "gpt" else 2
    weights = [draw(EXPERTS, HIDDEN + more, FFN) * 2 for _ in range(inner)]
    weights.append(draw(EXPERTS, FFN + more, HIDDEN))
    names = ", ".join(f"%w{i}" for i in range(len(weights)))
    types = ", ".join(map(type_of, [x, *weights]))
    attrs = f" activation {activation}" if activation else ""
    attrs += " {biased}" if biased else ""
    of_weights = ", ".join(map(type_of, weights))
    text = f"func.func @main() -> ({type_of(x)}, {type_of(x)}, {of_weights}) {{\n"
    text += constant("x", x) + constant("dy", dy)
    for i, weight in enumerate(weights):
        text += constant(f"w{i}", weight)
    text += f"""  %y = moe.experts {kind} %x, {names}{attrs} : {types} -> {type_of(x)}
  %dx = moe.experts_dgrad {kind} %dy at %x, {names}{attrs} : {types}
  %dw:{len(weights)} = moe.experts_wgrad {kind} %dy at %x, {names}{attrs} : {types} -> {of_weights}
  return %y, %dx, {", ".join(f"%dw#{i}" for i in range(len(weights)))} : {type_of(x)}, {type_of(x)}, {of_weights}
}}
"""
    path = os.environ["TMP"] + ".mlir"
    with open(path, "w") as file:
        file.write(text)
    said = subprocess.run(["moe-run", path, "--print-values"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = [np.array(json.loads(line)) for line in said.splitlines()
             if re.match(r"\s*\[", line)]

    want = [experts(kind, activation, biased, x, *weights)]
    arguments = [x, *weights]
    for argument in arguments:
        gradient = np.zeros_like(argument)
        for i in np.ndindex(argument.shape):
            sides = []
            for step in STEP, -STEP:
                old, argument[i] = argument[i], argument[i] + step
                sides.append((experts(kind, activation, biased, *arguments)
                              * dy).sum())
                argument[i] = old
            gradient[i] = (sides[0] - sides[1]) / (2 * STEP)
        want.append(gradient)
    if len(found) != len(want):
        sys.exit(f"{kind}: expected {len(want)} results, got {len(found)}")
    for i, (a, b) in enumerate(zip(found, want)):
        near = 1e-12 if i == 0 else 1e-6
        far = np.abs(a - b).max() / max(1, np.abs(b).max())
        if not far <= near:
            sys.exit(f"{kind} {attrs}: result {i} is apart by {far}")


random = np.random.default_rng(4)
count = 0
for kind, activation in [("gpt", a) for a in ACTIVATIONS] + [
        ("swiglu", ""), ("geglu", ""), ("clamped_swiglu", "")]:
    for biased in False, True:
        check(kind, activation, biased, random)
        count += 1
print(count, "networks agree")
