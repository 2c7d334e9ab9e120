"""Compiles the communication of Mixture-of-Experts training.

Three ways in:

- `optimize` rewrites the communication of a JAX function: see
  `moe_mlir.jax_functions` (imported when first used, and JAX with it).
- `optimize_torch` does so for a PyTorch module or function, and
  `moe_mlir.torch` has the rest for PyTorch.
- `import_config`, `plan`, `simulate` and `run` work on modules of the compiler,
  from a model's config.json or from MLIR text, with NumPy arrays.

`ask_planner` answers questions without a program, as moe-plan and moe-fabric do.

Failures raise an `Error` with the compiler's messages and their locations.
"""

import importlib
from typing import Any

from ._library import Diagnostic, Error
from .modules import (Module, import_config, parse, plan, run, simulate)
from .planners import ask_planner, list_planners
from .plans import Plan
from .rewriting import OptimizeWarning

__all__ = [
    "Diagnostic", "Error", "Module", "OptimizeWarning", "Optimized", "Plan",
    "ask_planner", "compiled_on_cpu", "compiled_on_gpu", "enable_ragged_on_cpu",
    "import_config", "layer", "list_planners", "load", "optimize",
    "optimize_torch", "parse", "plan", "run", "save", "simulate",
]

# Names that need JAX, with the module of each. It is imported when first used.
_OF_JAX = {
    "Optimized": "jax_functions", "layer": "jax_functions",
    "load": "jax_functions", "optimize": "jax_functions",
    "save": "jax_functions", "compiled_on_cpu": "compiled",
    "compiled_on_gpu": "compiled_gpu", "enable_ragged_on_cpu": "ragged",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._library import get_version
        return get_version()
    if name in _OF_JAX:
        try:
            module = importlib.import_module(f"moe_mlir.{_OF_JAX[name]}")
        except ModuleNotFoundError as error:
            if error.name != "jax":
                raise
            raise ImportError(f"moe_mlir.{name} needs JAX in this Python: "
                              "pip install jax") from error
        return getattr(module, name)
    if name == "optimize_torch":
        from .torch import optimize_torch
        return optimize_torch
    if name == "torch":
        return importlib.import_module("moe_mlir.torch")
    raise AttributeError(f"module 'moe_mlir' has no attribute {name!r}")
