"""Compiles the communication of Mixture-of-Experts training in JAX programs.

`optimize` rewrites the communication of a JAX function by moe-opt, which PATH has
or MOE_OPT names; `enable_ragged_on_cpu` lets `jax.lax.ragged_all_to_all` run on
CPU devices. What goes wrong is an `Error`.
"""

from ._library import Error
from .jax_functions import (Explanation, Optimized, OptimizeWarning, layer,
                            load, optimize, save)
from .ragged import enable_ragged_on_cpu

__all__ = [
    "Error", "Explanation", "OptimizeWarning", "Optimized",
    "enable_ragged_on_cpu", "layer", "load", "optimize", "save",
]
