"""Inductor's code of a rewritten layer: equal results, and the order of collectives
in the schedule.

usage: inductor.py EPxTP LAYER PIPELINE
"""

import os
import re
import sys
import tempfile
import warnings

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
# The first rank that needs a kernel compiles it for all.
folder = tempfile.TemporaryDirectory()
os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder.name

import layers
import torch
import torch._inductor.config
import torch._inductor.cpu_vec_isa
from torch._inductor.graph import GraphLowering
from torch.distributed.tensor import DTensor, Replicate, Shard

import moe_mlir.torch

# "dtensor" is the capacity layer of a DTensor.
layer = "capacity" if sys.argv[2] == "dtensor" else sys.argv[2]
ep, tp = map(int, sys.argv[1].split("x"))
name, pipeline = sys.argv[2:]
# Code without vectors compiles faster, and is the same on all processors.
torch._inductor.cpu_vec_isa.valid_vec_isa_list = lambda: []
SIZES = dict.fromkeys(("capacity", "dtensor"),
                      dict(tokens=8, hidden=4, ffn=4, experts=2))


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(ep, tp)
    arguments = layers.make_arguments(job, layer, **SIZES.get(name, {}))
    replicated = layers.REPLICATED[layer]
    if name == "dtensor":
        x = DTensor.from_local(arguments[0], job.mesh, [Shard(0), Replicate()])
        arguments[0] = x
        replicated = {"tp": ["router", "grad"], "ep": ["router"]}

    def f(x, router, w1, w2):
        return layers.LAYERS[layer](
            job, x.to_local() if name == "dtensor" else x, router, w1, w2)

    codes = []
    keep = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(codes.append)
    # Fused code rounds to bf16 where the ops do.
    with torch._inductor.config.patch(emulate_precision_casts=True):
        want = layers.run_with_gradients(f, arguments)
        fast = moe_mlir.optimize_torch(
            f, mesh=job.mesh, replicated=replicated,
            pipeline=pipeline, platform="dgx-h100",
            code="inductor", strict=True)
        have = layers.run_with_gradients(fast, arguments)
    GraphLowering.save_output_code = keep
    for i, (one, right) in enumerate(zip(have, want)):
        if name == "dtensor" and isinstance(one, DTensor):
            one, right = one.to_local(), right.to_local()
        far = (one - right).abs().max() / right.abs().max()
        assert far < 1e-5, f"result {i} differs by {far:.1e}"
    if rank:
        return
    print("results: equal within rounding")
    for phase, code in zip(("forward", "backward"), codes):
        calls = re.findall(
            r"^\s+(?:\w+ = )?(?:torch\.ops\._c10d_functional\.(\w+)\.default\("
            r"|extern_kernels\.(\w+)\()", code, re.M)
        print(f"{phase}:", " ".join(a or b for a, b in calls), flush=True)


layers.run_processes(main, ep * tp)
