"""Runs layers before and after moe-opt, on eight CPU devices.

usage: execute.py LAYER OPTION...

LAYER is one of layers.py or of styles.py. The options are passes between
reading and writing. A layer that XLA cannot run on a CPU (because of ragged
exchanges) is named with the suffix `-text` and is only read by JAX. Results are
compared bit by bit, and the collectives of both programs are counted in XLA's
compiled code, because a previously compiled program would hide every change.
"""

import sys

import layers
import styles
from execute_layer import check_main, compare, rewrite

import jax
import jax.export
import jax.interpreters.mlir as jax_mlir
from jax.extend.mlir import ir, passmanager

name, options = sys.argv[1].removesuffix("-text"), sys.argv[2:]
mesh = layers.make_mesh()
arguments = layers.make_arguments(mesh)
layer = jax.jit({**styles.ALL, **styles.RINGS}[name](mesh))

exported = jax.export.export(
    layer,
    disabled_checks=[
        jax.export.DisabledSafetyCheck.custom_call("ragged_all_to_all")
    ],
)(*arguments)
with jax_mlir.make_ir_context():
    before = ir.Module.parse(exported.mlir_module())
    plain = before.operation.get_asm(print_generic_op_form=True)
    if name in styles.RESHARDED:
        passmanager.PassManager.parse(layers.RESHARD).run(before.operation)
    text = before.operation.get_asm(print_generic_op_form=True)
changed = rewrite(text, options)
check_main(text, changed)
if sys.argv[1] != name:
    print(f"{name}: text that JAX reads")
    sys.exit()
compare(name, exported, plain, changed, arguments)
