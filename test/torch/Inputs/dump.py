"""Writes the texts of layers that moe_mlir.torch passes to moe-opt, for one of
four fake ranks, and prints their exchanges.

usage: dump.py FOLDER [LAYER...]
"""

import pathlib
import sys

import layers

import moe_mlir.torch

layers.start_fake(4)
job = layers.Job(2, 2)
for name in sys.argv[2:] or layers.LAYERS:
    layer = layers.LAYERS[name]

    def f(x, router, w1, w2):
        with moe_mlir.torch.layer("L0"):
            return layer(job, x, router, w1, w2)

    fast = moe_mlir.optimize_torch(f, mesh=job.mesh, pipeline="",
                                   replicated=layers.REPLICATED[name])
    exchanges = fast.plan(*layers.make_arguments(job, name)).exchanges
    print(f"{name}: {' '.join(each.kind for each in exchanges)}; {exchanges[1]}")
    text = fast.explain(*layers.make_arguments(job, name)).before
    (pathlib.Path(sys.argv[1]) / f"{name}.mlir").write_text(text)
