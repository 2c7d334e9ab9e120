"""Compiled programs called as XLA calls them on GPUs, on the CPU emulation of
CUDA, NCCL and XLA.

usage: compiled_gpu.py STAND_INS FOLDER_OF_DEVICE_H CONFIGS RUNS
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

import jax
import jax.ffi
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec as P

import moe_mlir
from moe_mlir import handlers

stand_ins, headers, configs = sys.argv[1:4]
runs = int(sys.argv[4])


def build(folder):
    made = pathlib.Path(folder) / "xla.so"
    source = pathlib.Path(__file__).with_name("xla_stand_in.cc")
    subprocess.run(
        [os.environ["CXX"], "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror",
         "-fPIC", "-shared", "-I", headers, "-isystem", jax.ffi.include_dir(),
         str(source), f"{stand_ins}/libcuda.so.1", f"-Wl,-rpath,{stand_ins}",
         "-pthread", "-o", str(made)], check=True)
    return ctypes.CDLL(str(made))


with tempfile.TemporaryDirectory() as folder:
    xla = build(folder)
xla.xla_make.restype = ctypes.c_void_p
count = ctypes.CDLL(f"{stand_ins}/libcuda.so.1").moert_stand_in_count
count.restype = ctypes.c_uint64


class Executable:
    """A compiled program as XLA sees it on devices, with the given places."""

    def __init__(self, compiled):
        self.compiled = compiled
        library = compiled.library
        library.MoePlacesId.restype = ctypes.c_void_p
        self.state = xla.xla_make(library.MoeMakePlaces,
                                  ctypes.c_void_p(library.MoePlacesId()))
        assert self.state

    def run(self, places, firsts, rest, workspace=None, timeout_ms=60000):
        """Results of each device and run, for the first argument of each run
        and the others; or the error."""
        types = [*self.compiled.arguments, *self.compiled.results]
        sizes = [int(np.prod(t.shape)) * t.dtype.itemsize for t in types]
        sizes.append(self.compiled.workspace if workspace is None
                     else workspace)
        devices, steps = len(places), len(firsts[0])
        inputs = [np.ascontiguousarray(one) for d in range(devices)
                  for one in (firsts[d], *rest[d])]
        outputs = [np.zeros((steps, *t.shape), t.dtype) for _ in range(devices)
                   for t in self.compiled.results]
        said = ctypes.create_string_buffer(1 << 16)
        failed = xla.xla_run(
            ctypes.c_void_p(self.state), self.compiled.library.MoeRunCompiled,
            ctypes.c_int64(devices),
            (ctypes.c_int64 * (2 * devices))(*np.ravel(places)),
            ctypes.c_int64(len(self.compiled.arguments)),
            ctypes.c_int64(len(self.compiled.results) + 1),
            (ctypes.c_int64 * len(sizes))(*sizes),
            (ctypes.c_void_p * len(inputs))(*(a.ctypes.data for a in inputs)),
            (ctypes.c_void_p * len(outputs))(*(a.ctypes.data for a in outputs)),
            ctypes.c_int64(steps), ctypes.c_int64(timeout_ms), said,
            ctypes.c_size_t(len(said)))
        if failed:
            return said.value.decode()
        each = len(self.compiled.results)
        return [outputs[d * each:(d + 1) * each] for d in range(devices)]


# An MoE layer of 8 ranks compared with the interpreter, with other tokens in
# each run.
layer = moe_mlir.import_config(
    pathlib.Path(configs) / "mixtral-8x7b.json", ep=4, tp=2, micro_batch=1,
    seq_len=16, layers=1, hidden_size=16, expert_ffn_size=32, dtype="f32",
    capacity_factor=8)
plain = layer.clone()
layer.compile("moe-compile{to=schedule platform=dgx-h100 strategy=o3 degree=2}")
compiled = moe_mlir.compiled_on_gpu(layer, axes=("ep", "tp"), stand_ins=True)
compiled.meet(1)
random = np.random.default_rng(5)
draw = lambda *shape: random.standard_normal(shape).astype(np.float32) / 3
tokens = draw(4, 2, 16, 16)  # groups of tp, drawn twice
gate, rest = draw(16, 8), [draw(8, *a.shape) for a in compiled.arguments[2:]]
program = Executable(compiled)
firsts = [np.stack([tokens[d // 2, r % 2] for r in range(runs)])
          for d in range(8)]
others = [[gate, *(one[d] for one in rest)] for d in range(8)]
places = [(d, 0) for d in range(8)]
have = program.run(places, [one[:1] for one in firsts], others)
assert not isinstance(have, str), have
# The test waits for each device at the end; the first call waits for its place.
assert count(b"cuStreamSynchronize") == 16
watched = ("cuMemAlloc", "cuMemAllocAsync", "cuStreamSynchronize",
           "ncclCommInitRankConfig")
before = [count(name.encode()) for name in watched]
have = program.run(places, firsts, others)
assert not isinstance(have, str), have
for kind in range(2):
    (want,) = plain.run({0: np.repeat(tokens[:, kind], 2, axis=0), 1: gate,
                         **{2 + i: one for i, one in enumerate(rest)}})
    for device in range(8):
        for run in range(kind, runs, 2):
            np.testing.assert_allclose(have[device][0][run], want[device],
                                       rtol=1e-4, atol=1e-5)
print("layer: as the interpreter's")

# No waits, no memory and no communicators except for the test's own.
made = [count(name.encode()) - one for name, one in zip(watched, before)]
buffers = len(compiled.arguments) + len(compiled.results) + 2
assert made == [8 * buffers, 0, 8, 0], made
print(f"calls: {runs} of each device without a wait")

# Two groups of ranks at once.
EXCHANGE = pathlib.Path(__file__).with_name("exchange.mlir").read_text()
exchange = moe_mlir.compiled_on_gpu(EXCHANGE, stand_ins=True, timeout_s=2)
exchange.meet(2)
groups = [(d // 2, d % 2) for d in range(8)]
x = draw(8, 1, 4, 6)
have = Executable(exchange).run(groups, x, [[]] * 8)
assert not isinstance(have, str), have
for d, (rank, group) in enumerate(groups):
    want = np.stack([x[2 * peer + group, 0, rank] for peer in range(4)])
    assert (have[d][0][0] == want).all()
print("groups: apart")

# In the form that JAX writes for GPUs, and in another one.
mesh = jax.sharding.AbstractMesh(
    (4, 2), ("ep", "tp"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
shard = lambda program: jax.jit(jax.shard_map(
    program, mesh=mesh, in_specs=P("ep", "tp"), out_specs=P("ep", "tp"),
    check_vma=False))
text = shard(exchange).trace(jax.ShapeDtypeStruct((16, 12), jnp.float32)).lower(
    lowering_platforms=("cuda",)).as_text()
assert text.count("stablehlo.custom_call @moe_compiled_") == 1, text
assert f"tensor<{exchange.workspace}xui8>" in text, text


def expect_error(what, said):
    assert isinstance(said, str) and what in said, said
    return said


try:
    shard(exchange).trace(jax.ShapeDtypeStruct((16, 16), jnp.float32))
    sys.exit("expected an error for a shape")
except moe_mlir.Error as error:
    expect_error("argument 0: expected float32[4, 6]", str(error))
try:
    moe_mlir.compiled_on_gpu(EXCHANGE, address="here", stand_ins=True)
    sys.exit("expected an error for an address")
except moe_mlir.Error as error:
    expect_error("expected address=HOST:PORT, got 'here'", str(error))
expect_error("device 0: moe_mlir: expected a rank below 4, got 4\n",
             Executable(exchange).run([(4, 0)], x[:1], [[]]))
expect_error("expected a workspace of",
             Executable(compiled).run([(0, 0)], firsts[:1], others[:1],
                                      workspace=1))
# Three of four ranks of a third group: an error on all, and in later calls.
exchange.meet(3)
missing = Executable(exchange)
three = [(rank, 2) for rank in range(3)]
for _ in range(2):
    said = expect_error(
        "missing are ranks [3]",
        missing.run(three, x[:3], [[]] * 3, timeout_ms=1000))
    assert said.count("device") == 3, said

# XLA itself creates the state of an executable, here on CPU devices, which have
# no CUDA stream.
library = exchange.library
library.MoePlacesId.restype = ctypes.POINTER(ctypes.c_int64)
library.MoePlacesId()[0] = 0  # as it was before there was a stand-in for XLA
handlers.register_state("moe_places_on_cpu", library.MoePlacesId,
                        library.MoePlacesInfo, "cpu")
handlers.register("moe_on_cpu", library.MoeRunCompiled, "cpu",
                  library.MoeMakePlaces)
library.MoePlacesId.restype = ctypes.POINTER(ctypes.c_int64)
assert library.MoePlacesId()[0] not in (0, 17)
call = jax.ffi.ffi_call(
    "moe_on_cpu", [*exchange.results,
                   jax.ShapeDtypeStruct((exchange.workspace,), np.uint8)])
try:
    jax.block_until_ready(jax.jit(lambda x: call(
        np.zeros(2, np.int32), x, timeout_ms=np.int64(0)))(x[0][0]))
    sys.exit("expected an error for a stream")
except jax.errors.JaxRuntimeError as error:
    said = expect_error("stream", str(error))
print("refused:", said.splitlines()[0])
