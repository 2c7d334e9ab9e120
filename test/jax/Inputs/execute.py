"""Runs layers as they are and as moe-opt makes them, on eight CPU devices.

usage: execute.py LAYER OPTION...

The options are passes between reading and writing. A layer that XLA cannot run
on a CPU (one of ragged exchanges) is named with `-text` behind it and is only
read by JAX. Results are compared bit by
bit, and the collectives of both programs counted in what XLA compiled: a
program that was compiled before would hide every change.
"""

import dataclasses
import re
import subprocess
import sys

import layers

import jax
import jax.export
import jax.interpreters.mlir as jax_mlir
import numpy as np
from jax.extend.mlir import ir, passmanager

name, options = sys.argv[1].removesuffix("-text"), sys.argv[2:]
mesh = layers.make_mesh()
arguments = layers.make_arguments(mesh)
layer = jax.jit(layers.LAYERS[name](mesh))


def rewrite(text):
    return subprocess.run(
        ["moe-opt", "-", "--convert-stablehlo-to-moe", *options,
         "--convert-moe-to-stablehlo", "--mlir-print-op-generic"],
        input=text, stdout=subprocess.PIPE, text=True, check=True,
    ).stdout


def main_of(module):
    """What callers of a program see of it."""
    attributes = ir.SymbolTable(module.operation)["main"].attributes
    return [
        str(attributes[name]) if name in attributes else None
        for name in ("function_type", "arg_attrs", "res_attrs")
    ]


def count(text):
    kinds = "all-to-all", "all-gather", "all-reduce", "reduce-scatter"
    found = {k: len(re.findall(rf" {k}(?:-start)?\(", text)) for k in kinds}
    return " ".join(f"{k} {n}" for k, n in found.items() if n)


exported = jax.export.export(
    layer,
    disabled_checks=[
        jax.export.DisabledSafetyCheck.custom_call("ragged_all_to_all")
    ],
)(*arguments)
with jax_mlir.make_ir_context():
    before = ir.Module.parse(exported.mlir_module())
    if name == "constrained":
        passmanager.PassManager.parse(layers.RESHARD).run(before.operation)
    text = before.operation.get_asm(print_generic_op_form=True)
    changed = rewrite(text)
    after = ir.Module.parse(changed)
    after.operation.verify()
    if main_of(after) != main_of(before):
        sys.exit(f"expected @main to stay, got {main_of(after)}")
if sys.argv[1] != name:
    print(f"{name}: text that JAX reads")
    sys.exit()
replaced = dataclasses.replace(
    exported, mlir_module_serialized=changed.encode()
)
call = jax.jit(replaced.call)
compiled = call.lower(*arguments).compile()
marks = set(re.findall(r'moe_task="([^"]*)"', compiled.as_text()))

want = jax.block_until_ready(layer(*arguments))
have = jax.block_until_ready(call(*arguments))
want, have = map(jax.tree.leaves, (want, have))
equal = len(want) == len(have)
furthest = 0.0
for a, b in zip(want, have):
    if not a.sharding.is_equivalent_to(b.sharding, a.ndim):
        sys.exit(f"expected {a.sharding}, got {b.sharding}")
    a, b = np.asarray(a), np.asarray(b)
    equal &= a.tobytes() == b.tobytes()
    furthest = max(furthest, float(np.abs(a - b).max(initial=0)))
print(f"{name}: {'equal' if equal else f'apart by {furthest:.1e}'}")
print("before:", count(layer.lower(*arguments).compile().as_text()))
print("after:", count(compiled.as_text()))
print("tasks:", len(marks))
if not equal and furthest > 1e-5:
    sys.exit("expected results that differ by roundoff at most")
