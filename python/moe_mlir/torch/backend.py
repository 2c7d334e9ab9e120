"""A backend of `torch.compile` that rewrites communication.

AOTAutograd traces the forward and the backward pass into one joint graph. The
backend rewrites this graph before PyTorch partitions it, so that it analyzes each
exchange of the backward pass on its own. If moe-opt cannot rewrite a graph, all
ranks run it unchanged, with a warning that has the reason.
"""

import contextlib
import dataclasses
import functools
import warnings
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence

import torch
import torch._dynamo
from functorch.compile import (make_boxed_func,
                               min_cut_rematerialization_partition)
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from .._library import Error
from ..rewriting import Explanation, FunctionPlan, OptimizeWarning, Pipeline
from . import inputs as of_inputs
from .ranks import DEADLINE, RanksError
from .rewrite import Facts, Rewritten, rewrite_graph


class _Stop(Exception):
    """Ends the compilation of a graph that is only to be explained."""


@dataclasses.dataclass
class _Options:
    """The options of `optimize_torch`."""

    pipeline: Optional[Pipeline] = None
    platform: Optional[str] = None
    replicated: Mapping[str, Sequence[str]] = dataclasses.field(
        default_factory=dict)
    mesh: Any = None
    code: str = "eager"
    tool: Optional[str] = None
    strict: bool = False
    deadline: float = DEADLINE
    #: Called with each rewritten graph.
    on_rewritten: Optional[Callable[[Rewritten], None]] = None
    name: str = "a function"

    def __post_init__(self) -> None:
        if self.code not in ("eager", "inductor"):
            raise Error(f"code: expected eager or inductor, got '{self.code}'")


class _Compilation:
    """A graph of Dynamo, with the names and placements of its inputs."""

    def __init__(self, options: _Options, gm: fx.GraphModule,
                 example_inputs: Sequence[Any]):
        self.options = options
        self.names = of_inputs.get_source_names(gm)
        mesh, self.placed = of_inputs.get_placed(example_inputs)
        self.mesh = options.mesh if options.mesh is not None else mesh
        if len(self.names) != len(self.placed):
            self.placed = [[] for _ in self.names]

    def rewrite(self, gm: fx.GraphModule) -> fx.GraphModule:
        options = self.options
        try:
            facts = Facts(self.mesh, of_inputs.name_replicated(
                gm, self.names, self.placed, options.replicated))
            made = rewrite_graph(
                gm, facts, pipeline=options.pipeline,
                platform=options.platform, tool=options.tool,
                deadline=options.deadline)
        except RanksError:
            raise
        except Exception as error:  # the function runs unchanged
            if options.strict:
                raise error if isinstance(error, Error) \
                    else Error(str(error)) from error
            warnings.warn(f"moe_mlir.optimize_torch: {options.name} runs "
                          f"unchanged: {error}", OptimizeWarning, stacklevel=2)
            return gm
        if made is None:
            return gm
        if options.on_rewritten is not None:
            options.on_rewritten(made)
        return made.graph

    def compile(self, gm: fx.GraphModule, example_inputs: Any) -> Any:
        if self.options.code == "inductor":
            from .inductor import compile_with_inductor
            return compile_with_inductor(gm, example_inputs, self.rewrite)

        def partition(joint: fx.GraphModule, joint_inputs: Any,
                      **kwargs: Any) -> Any:
            return min_cut_rematerialization_partition(
                self.rewrite(joint), joint_inputs, **kwargs)

        def run(graph: fx.GraphModule, _: Any) -> Any:
            return make_boxed_func(graph.forward)

        def run_without_gradients(graph: fx.GraphModule, _: Any) -> Any:
            return make_boxed_func(self.rewrite(graph).forward)

        return aot_autograd(fw_compiler=run, bw_compiler=run,
                            inference_compiler=run_without_gradients,
                            partition_fn=partition)(gm, example_inputs)


def compile_backend(gm: fx.GraphModule, example_inputs: Sequence[Any], *,
                    options: Optional[Dict[str, Any]] = None,
                    **_: Any) -> Callable[..., Any]:
    """The backend `moe_mlir` of `torch.compile`. It takes the options of
    `optimize_torch`."""
    try:
        made = _Options(**(options or {}))
    except TypeError as error:
        raise Error(f"torch.compile(backend='moe_mlir'): options: {error}"
                    ) from error
    return _Compilation(made, gm, example_inputs).compile(gm, example_inputs)


@contextlib.contextmanager
def layer(name: str) -> Iterator[None]:
    """Marks the ops that are traced inside as a layer with this name. The nodes
    of the backward pass have the mark too."""
    from torch.fx.traceback import annotate
    with annotate({"moe_layer": name}):
        yield


class OptimizedTorch:
    """A module or function with rewritten communication. It is rewritten once per
    combination of argument shapes, and has the attributes of the original."""

    def __init__(self, function: Callable[..., Any], options: _Options,
                 fullgraph: bool):
        self._function = function
        self._options = options
        self._fullgraph = fullgraph
        options.name = getattr(function, "__name__", type(function).__name__)
        self._compiled = self._compile(options, fullgraph)
        # Ops whose results have computed sizes are left out of graphs.
        self._splits_graphs = False
        if not isinstance(function, torch.nn.Module):
            functools.update_wrapper(self, function, updated=())

    def _compile(self, options: _Options, fullgraph: bool) -> Any:
        def backend(gm: fx.GraphModule, example_inputs: Any) -> Any:
            return _Compilation(options, gm, example_inputs).compile(
                gm, example_inputs)
        return torch.compile(self._function, backend=backend,
                             fullgraph=fullgraph, dynamic=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._splits_graphs:
            try:
                return _call(self._compiled, args, kwargs)
            except _UNCAPTURED as error:
                if self._fullgraph or self._options.strict:
                    raise
                # Ranks run the same function, so all of them come here.
                first = (str(error).strip().splitlines() or [type(error).__name__])[0]
                warnings.warn(
                    f"moe_mlir.optimize_torch: {self._options.name}: ops with "
                    "computed sizes cannot be captured, so they split the graph: "
                    f"{first}", OptimizeWarning, stacklevel=2)
                self._splits_graphs = True
                self._compiled = self._compile(self._options, False)
        return _call(self._compiled, args, kwargs, captures_sizes=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._function, name)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """Rewrites the function for such arguments without running it. Raises an
        `Error` if a call would warn, or if torch.compile splits the function into
        several graphs."""
        return self._rewrite(args, kwargs).explain()

    def plan(self, *args: Any, **kwargs: Any) -> FunctionPlan:
        """The plan of each exchange of the function for such arguments, with the
        reasons, without running the function."""
        return self._rewrite(args, kwargs).plan()

    def _rewrite(self, args: Any, kwargs: Any) -> Rewritten:
        seen: List[Rewritten] = []

        def stop(made: Rewritten) -> None:
            seen.append(made)
            raise _Stop()

        options = dataclasses.replace(self._options, strict=True, code="eager",
                                      on_rewritten=stop)
        compiled = self._compile(options, fullgraph=True)
        try:
            _call(compiled, args, kwargs)
        except Error:
            raise
        except Exception as error:
            if not seen:
                raise Error(f"moe_mlir.optimize_torch: {options.name} cannot be "
                            f"captured: {error}") from error
        if not seen:
            raise Error(f"moe_mlir.optimize_torch: expected {options.name} to "
                        "communicate, found no collective")
        return seen[0]


# What Dynamo raises before a graph runs.
_UNCAPTURED = (torch._dynamo.exc.TorchDynamoException,
               GuardOnDataDependentSymNode)


def _call(compiled: Callable[..., Any], args: Any, kwargs: Any,
          captures_sizes: bool = True) -> Any:
    """Calls a compiled function. Raises moe-mlir's `Error` instead of Dynamo's
    wrapper."""
    try:
        # Captures split sizes that are computed, and ops whose results have
        # computed sizes (bincount), instead of breaking the graph.
        with torch._dynamo.config.patch(
                capture_scalar_outputs=True,
                capture_dynamic_output_shape_ops=captures_sizes):
            return compiled(*args, **kwargs)
    except torch._dynamo.exc.BackendCompilerFailed as failed:
        inner = getattr(failed, "inner_exception", None)
        if isinstance(inner, Error):
            raise inner from None
        raise


def optimize_torch(function: Optional[Callable[..., Any]] = None, *,
                   pipeline: Optional[Pipeline] = None,
                   platform: Optional[str] = None,
                   replicated: Optional[Mapping[str, Sequence[str]]] = None,
                   mesh: Any = None, code: str = "eager",
                   fullgraph: bool = False, tool: Optional[str] = None,
                   strict: bool = False, deadline: float = DEADLINE) -> Any:
    """Rewrites the communication of a module or a function: `torch.compile` with
    the backend `moe_mlir`.

    `pipeline` and `platform` are as for `moe_mlir.optimize`. `mesh` is the job's
    `DeviceMesh`, or a mapping from axes to sizes ({"ep": 4, "tp": 2}), with the
    fastest-varying axis last. `replicated` maps an axis to the inputs that are
    equal on all ranks along the axis: {"tp": ["x", "router.weight", "grad"]},
    where "grad" is the gradient of the result. The placements of DTensors are
    used without it. A wrong entry gives wrong results.

    `code` selects the interpreter of FX graphs (`eager`) or `inductor`. If a graph
    cannot be rewritten, all ranks raise an `Error` (with `strict`) or issue an
    `OptimizeWarning`. If a rank does not answer within `deadline` seconds, the
    others raise an `Error` in both cases."""
    options = _Options(pipeline, platform, dict(replicated or {}), mesh, code,
                       tool, strict, deadline)
    if function is None:
        return lambda f: OptimizedTorch(f, options, fullgraph)
    return OptimizedTorch(function, options, fullgraph)
