"""A pass pipeline for torchtitan's graph_trainer (torchtitan 0.3).

    import moe_mlir.torchtitan                 # in the module of the job's config
    torchtitan ... --compile.pass_pipeline moe_mlir

The pipeline rewrites the graph of a whole training step. `configure` sets the options of
`moe_mlir.torch.rewrite` before training. The plain trainer needs no adapter:
`--compile.backend moe_mlir` compiles each block.
"""

import functools
import warnings
from typing import Any, Callable, Dict, List

from torch import fx
from torchtitan.experiments.graph_trainer.passes import (
    construct_default_graph_passes)
from torchtitan.experiments.graph_trainer.registry import (
    register_pass_pipeline)

from ._library import Error
from .rewriting import OptimizeWarning
from .torch.ranks import RanksError
from .torch.rewrite import rewrite

_options: Dict[str, Any] = {}


def configure(**options: Any) -> None:
    """Sets options of `moe_mlir.torch.rewrite` (`facts`, `pipeline`, `platform`,
    `deadline`), and `strict`."""
    _options.clear()
    _options.update(options)


def rewrite_pass(gm: fx.GraphModule, example_inputs: Any = None, *,
                 strict: bool = False, **options: Any) -> fx.GraphModule:
    """Rewrites the graph of a step. If that fails on a rank, all ranks keep the
    graph and warn, or raise an `Error` with `strict`."""
    try:
        return rewrite(gm, **options)
    except RanksError:
        raise
    except Error as error:
        if strict:
            raise
        warnings.warn(f"moe_mlir.torchtitan: the step runs unchanged: {error}",
                      OptimizeWarning, stacklevel=2)
        return gm


@register_pass_pipeline("moe_mlir")
def build_passes(traced: Any, config: Any, *,
                 parallel_dims: Any = None) -> List[Callable[..., Any]]:
    """The rewriting pass, then torchtitan's own passes."""
    return [functools.partial(rewrite_pass, **_options),
            *construct_default_graph_passes(traced, config,
                                            parallel_dims=parallel_dims)]
