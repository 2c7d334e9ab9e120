"""Rewrites the communication of PyTorch programs.

    step = moe_mlir.optimize_torch(model, mesh=mesh, replicated={"tp": ["x"]})

`rewrite` takes a graph of ATen ops; `optimize_torch` is `torch.compile` with the
backend `moe_mlir`, which rewrites the joint graph of AOTAutograd.
"""

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("moe_mlir.torch needs PyTorch 2.11 or later in this "
                      "Python: pip install torch") from error

from .backend import (OptimizedModule, OptimizedTorch, compile_backend, configure,
                      layer, optimize_torch)
from .layer_op import LayerOp, layer_op
from .ranks import RanksError
from .rewrite import Facts, rewrite

__all__ = ["Facts", "LayerOp", "OptimizedModule", "OptimizedTorch", "RanksError",
           "compile_backend", "configure", "layer", "layer_op", "optimize_torch", "rewrite"]
