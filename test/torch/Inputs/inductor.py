"""Inductor's code of a rewritten layer: equal results, and the order of collectives
in the schedule.

usage: inductor.py EPxTP LAYER PIPELINE
"""

import os
import re
import sys
import warnings

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"

import layers
import torch
import torch._inductor.config
from torch._inductor.graph import GraphLowering

import moe_mlir.torch

ep, tp = map(int, sys.argv[1].split("x"))
name, pipeline = sys.argv[2:]
SIZES = {"capacity": dict(tokens=8, hidden=4, ffn=4, experts=2)}


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(ep, tp)
    arguments = layers.make_arguments(job, name, **SIZES.get(name, {}))

    def f(x, router, w1, w2):
        return layers.LAYERS[name](job, x, router, w1, w2)

    codes = []
    keep = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(codes.append)
    # Fused code rounds to bf16 where the ops do.
    with torch._inductor.config.patch(force_disable_caches=True,
                                      emulate_precision_casts=True):
        want = layers.run_with_gradients(f, arguments)
        fast = moe_mlir.optimize_torch(
            f, mesh=job.mesh, replicated=layers.REPLICATED[name],
            pipeline=pipeline, platform="dgx-h100",
            code="inductor", strict=True)
        have = layers.run_with_gradients(fast, arguments)
    GraphLowering.save_output_code = keep
    assert all(torch.allclose(a, b, rtol=1e-5, atol=1e-6)
               for a, b in zip(have, want))
    if rank:
        return
    print("results: equal within rounding")
    for phase, code in zip(("forward", "backward"), codes):
        calls = re.findall(
            r"^\s+(?:\w+ = )?(?:torch\.ops\._c10d_functional\.(\w+)\.default\("
            r"|extern_kernels\.(\w+)\()", code, re.M)
        print(f"{phase}:", " ".join(a or b for a, b in calls), flush=True)


layers.run_processes(main, ep * tp)
