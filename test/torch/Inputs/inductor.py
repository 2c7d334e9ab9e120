"""Inductor's code of a rewritten layer: equal results, and the order of collectives
in the schedule.
"""

import os
import re
import warnings

os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"

import layers
import torch
import torch._inductor.config
from torch._inductor.graph import GraphLowering

import moe_mlir.torch

PIPELINE = ("moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer} "
            "moe-schedule")


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(2, 1)
    arguments = layers.make_arguments(job, "capacity", tokens=8, hidden=4, ffn=4,
                                      experts=2)

    def f(x, router, w1, w2):
        return layers.capacity(job, x, router, w1, w2)

    codes = []
    keep = GraphLowering.save_output_code
    GraphLowering.save_output_code = staticmethod(codes.append)
    with torch._inductor.config.patch(force_disable_caches=True):
        want = layers.run_with_gradients(f, arguments)
        fast = moe_mlir.optimize_torch(
            f, mesh=job.mesh, pipeline=PIPELINE, platform="dgx-h100",
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


layers.run_processes(main, 2)
