"""Compares rewritten layers with PyTorch's own backend.

usage: equal.py EPxTP LAYER[,LAYER...] [PIPELINE...]

Prints whether loss, result and gradients are bit-equal on all ranks, and the number
of collectives before and after.
"""

import sys
import warnings

import layers
import torch
import torch.distributed as dist

import moe_mlir.torch

PIPELINES = {
    "none": "",
    "drop": None,
    "chunks": "moe-pipeline{degree=2 scope=layer}",
    "both": "moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer}",
    "schedule": "moe-decompose-all-to-all moe-pipeline{degree=2 scope=layer} "
                "moe-schedule",
    # Chosen for the platform.
    "compile": "moe-compile{to=schedule strategy=o3 degree=2}",
    "auto": "moe-compile{to=schedule}",
    "2dh": "moe-split-mesh-axis{axis=ep inner=2} "
           "moe-decompose-all-to-all=mode=hierarchical",
}
ep, tp = map(int, sys.argv[1].split("x"))
pipelines = sys.argv[3:] or list(PIPELINES)


def main(rank):
    warnings.simplefilter("error", moe_mlir.OptimizeWarning)
    job = layers.Job(ep, tp)
    for name in sys.argv[2].split(","):
        layer = layers.LAYERS[name]
        arguments = layers.make_arguments(job, name)

        def f(x, router, w1, w2):
            return layer(job, x, router, w1, w2)

        torch._dynamo.reset()
        with torch._dynamo.config.patch(capture_scalar_outputs=True):
            plain = torch.compile(f, backend="aot_eager", dynamic=False)
            want = layers.run_with_gradients(plain, arguments)
        for pipeline in pipelines:
            torch._dynamo.reset()
            fast = moe_mlir.optimize_torch(
                f, mesh=job.mesh, replicated=layers.REPLICATED[name],
                pipeline=PIPELINES[pipeline], platform="dgx-h100",
                strict=True)
            said = fast.explain(*arguments)
            have = layers.run_with_gradients(fast, arguments)
            far = max(((a - b).abs().max() / b.abs().max().clamp(min=1e-30))
                      .item() for a, b in zip(have, want))
            answers = [None] * (ep * tp)
            dist.all_gather_object(answers, (layers.is_same(have, want), far))
            if rank == 0:
                changed = ", ".join(
                    f"{kind} {said.collectives_before.get(kind, 0)} -> {count}"
                    for kind, count in said.collectives_after.items()
                    if count or said.collectives_before.get(kind))
                same = ("same bits" if all(bits for bits, _ in answers) else
                        f"differs by {max(far for _, far in answers):.1e}")
                print(f"{name} {pipeline}: {same}; {changed}", flush=True)


layers.run_processes(main, ep * tp)
