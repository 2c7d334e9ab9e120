"""Runs a written program before and after moe-opt, on 8 CPU devices.

usage: execute_text.py FILE OPTION...

FILE is generic StableHLO with a mesh of 8 devices and only shardings, from
which Shardy's passes create collectives; its source is not needed. The options
are passes between reading and writing. Arguments are random. Results are
compared bit by bit, and the collectives of both programs are counted in XLA's
compiled code.
"""

import re
import sys

import layers
from execute_layer import check_main, compare, rewrite

import jax
import jax.interpreters.mlir as jax_mlir
import jax.numpy as jnp
import numpy as np
from jax.extend.mlir import ir, passmanager
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

path, options = sys.argv[1], sys.argv[2:]
with open(path) as file:
    text = file.read()
main = next(line for line in text.splitlines() if 'sym_name = "main"' in line)
name = re.search(r'sym_name = "jit_(\w+)"', text)[1]

axes = re.findall(r'"(\w+)"=(\d+)', re.search(r"#sdy.mesh<\[(.*?)\]>", text)[1])
mesh = jax.make_mesh(tuple(int(size) for _, size in axes),
                     tuple(axis for axis, _ in axes),
                     axis_types=(AxisType.Auto,) * len(axes))


def read_shardings(attributes):
    specs = re.findall(r"#sdy\.sharding<@mesh, \[(.*?)\]>", attributes)
    dims = [re.findall(r"\{(.*?)\}", spec) for spec in specs]
    return [NamedSharding(mesh, P(*(tuple(re.findall(r'"(\w+)"', dim)) or None
                                    for dim in own))) for own in dims]


def read_shapes(types):
    kinds = {"f32": jnp.float32, "i32": jnp.int32, "bf16": jnp.bfloat16}
    shapes = []
    for one in re.findall(r"tensor<(.*?)>", types):
        *sizes, kind = one.split("x")
        shapes.append(jax.ShapeDtypeStruct(tuple(map(int, sizes)), kinds[kind]))
    return shapes


type_of = re.search(r"function_type = \((.*?)\) -> (\(.*?\)|\S+),", main)
taken, given = map(read_shapes, type_of.groups())
sharded = read_shardings(re.search(r"arg_attrs = \[(.*?\})\], f", main)[1])
if len(taken) != len(sharded):
    sys.exit("expected a sharding of each argument")


def reshard(text):
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(layers.RESHARD).run(module.operation)
        return module.operation.get_asm(print_generic_op_form=True)


def stand_in(*arguments):
    results = tuple(jnp.zeros(s.shape, s.dtype) for s in given)
    return results if len(results) > 1 else results[0]


random = np.random.default_rng(5)
arguments = [
    jax.device_put(random.normal(size=s.shape).astype(s.dtype), sharding)
    for s, sharding in zip(taken, sharded)
]
# The program may state the sharding of results, or leave it to the compiler.
exported = jax.export.export(jax.jit(stand_in, keep_unused=True))(*arguments)
resharded = reshard(text)
changed = rewrite(resharded, options)
check_main(resharded, changed)
compare(name, exported, text, changed, arguments)
