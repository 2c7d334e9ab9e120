"""Shared by the scripts that run programs of JAX before and after moe-opt."""

import dataclasses
import re
import subprocess
import sys

import layers

import jax
import jax.export
import jax.interpreters.mlir as jax_mlir
import numpy as np
from jax.extend.mlir import ir


def rewrite(text, options):
    """Rewrites a program with moe-opt, with passes between reading and writing.
    Passes for whole layers read exchanges as layers."""
    has_layers = any(re.search("moe-compile|scope=layer", option)
                     for option in options)
    return subprocess.run(
        ["moe-opt", "-",
         f"--convert-stablehlo-to-moe=layers={has_layers}".lower(), *options,
         "--convert-moe-to-stablehlo", "--mlir-print-op-generic"],
        input=text, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout


def main_of(module):
    """The interface of a program for its callers."""
    attributes = ir.SymbolTable(module.operation)["main"].attributes
    return [
        str(attributes[name]) if name in attributes else None
        for name in ("function_type", "arg_attrs", "res_attrs")
    ]


def check_main(before, after):
    """Both are texts; callers must see no difference."""
    with jax_mlir.make_ir_context():
        before, after = map(ir.Module.parse, (before, after))
        after.operation.verify()
        if main_of(after) != main_of(before):
            sys.exit(f"expected @main to stay, got {main_of(after)}")


def count(text):
    kinds = ("all-to-all", "all-gather", "all-reduce", "reduce-scatter",
             "collective-permute")
    found = {k: len(re.findall(rf" {k}(?:-start)?\(", text)) for k in kinds}
    return " ".join(f"{k} {n}" for k, n in found.items() if n)


def compare(name, exported, before, after, arguments):
    """Compiles both texts instead of `exported`'s, runs and compares."""
    results, counts = [], []
    for text in before, after:
        replaced = dataclasses.replace(
            exported, mlir_module_serialized=text.encode())
        call = jax.jit(replaced.call)
        compiled = call.lower(*arguments).compile().as_text()
        counts.append(count(compiled))
        results.append(jax.tree.leaves(
            jax.block_until_ready(call(*arguments))))
    marks = set(re.findall(r'moe_task="([^"]*)"', compiled))
    want, have = results
    equal = len(want) == len(have)
    furthest = 0.0
    for a, b in zip(want, have):
        if not a.sharding.is_equivalent_to(b.sharding, a.ndim):
            sys.exit(f"expected {a.sharding}, got {b.sharding}")
        a, b = np.asarray(a), np.asarray(b)
        equal &= a.tobytes() == b.tobytes()
        far = np.abs(a.astype(float) - b.astype(float))
        furthest = max(furthest, float(far.max(initial=0)))
    # XLA chooses instructions and the order of sums by processor and shape.
    is_near = furthest <= 1e-5
    print(f"{name}: {'equal' if equal else 'near' if is_near else 'apart'}, "
          f"greatest difference {furthest:.1e}")
    print("before:", counts[0])
    print("after:", counts[1])
    print("tasks:", len(marks))
    if not equal and not is_near:
        sys.exit("expected results that differ by at most 1e-05")
