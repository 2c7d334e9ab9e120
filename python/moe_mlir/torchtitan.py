"""moe-mlir in torchtitan (0.3).

    import moe_mlir.torchtitan                 # in the module of the job's config
    moe_mlir.torchtitan.configure(pipeline="moe-pipeline{degree=2 scope=layer}")

    torchtitan ... --compile.enable --compile.backend moe_mlir     # the plain trainer
    torchtitan ... --compile.pass_pipeline moe_mlir                # graph_trainer

The backend rewrites each block that the plain trainer compiles. The pass pipeline rewrites
the graph of a whole training step.
"""

import functools
import warnings
from typing import Any, Callable, Dict, List, Optional

from torch import fx
from torchtitan.experiments.graph_trainer.passes import (
    construct_default_graph_passes)
from torchtitan.experiments.graph_trainer.registry import (
    register_pass_pipeline)

from ._library import Error
from .rewriting import OptimizeWarning
from .torch import backend
from .torch.ranks import RanksError
from .torch.rewrite import Facts, Rewritten, rewrite_graph

_options: Dict[str, Any] = {}


def configure(**options: Any) -> None:
    """Sets options of `moe_mlir.optimize_torch` for both trainers. `graph_trainer`
    does not use `code` and `replicated`, because its passes compile the graph and
    its inputs have no names."""
    backend.configure(**options)
    _options.clear()
    _options.update((name, value) for name, value in options.items()
                    if name not in ("code", "replicated"))


def rewrite_pass(gm: fx.GraphModule, example_inputs: Any = None, *,
                 mesh: Any = None, strict: bool = False,
                 on_rewritten: Optional[Callable[[Rewritten], None]] = None,
                 **options: Any) -> fx.GraphModule:
    """Rewrites the graph of a step. If that fails on a rank, all ranks keep the
    graph and warn, or raise an `Error` with `strict`."""
    try:
        made = rewrite_graph(gm, Facts(mesh), **options)
    except RanksError:
        raise
    except Error as error:
        if strict:
            raise
        warnings.warn(f"moe_mlir.torchtitan: the step runs unchanged: {error}",
                      OptimizeWarning, stacklevel=2)
        return gm
    if made is None:
        return gm
    if on_rewritten is not None:
        on_rewritten(made)
    return made.graph


@register_pass_pipeline("moe_mlir")
def build_passes(traced: Any, config: Any, *,
                 parallel_dims: Any = None) -> List[Callable[..., Any]]:
    """The rewriting pass, then torchtitan's own passes."""
    return [functools.partial(rewrite_pass, **_options),
            *construct_default_graph_passes(traced, config,
                                            parallel_dims=parallel_dims)]
