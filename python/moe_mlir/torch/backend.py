"""A backend of `torch.compile` that rewrites communication.

AOTAutograd traces the forward and the backward pass into one joint graph. The
backend rewrites this graph before PyTorch partitions it, so that it analyzes each
exchange of the backward pass on its own. If a graph cannot be rewritten or compiled,
all ranks run it unchanged, with a warning that has the reason.
"""

import contextlib
import copy
import dataclasses
import functools
import os
import sys
import types
import warnings
from typing import (Any, Callable, Dict, Iterator, List, Mapping, Optional,
                    Sequence, Set)

import torch
import torch._dynamo
import torch._dynamo.convert_frame
import torch._dynamo.eval_frame
import torch._dynamo.external_utils
from functorch.compile import (make_boxed_func,
                               min_cut_rematerialization_partition)
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch._guards import TracingContext
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from .._library import Error
from ..rewriting import Explanation, FunctionPlan, OptimizeWarning, Pipeline
from . import inputs as of_inputs
from .graph import Decompositions
from .ranks import DEADLINE, RanksError, check_mesh, make_agreement
from .rewrite import Facts, Rewritten, Versions, rewrite_graph


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
    #: The function's code, if it is known.
    code_object: Optional[types.CodeType] = None

    def __post_init__(self) -> None:
        """Raises an `Error` for values that no graph makes right."""
        if self.code not in ("eager", "inductor"):
            raise Error(f"code: expected eager or inductor, got '{self.code}'")
        check_mesh(self.mesh)
        if not isinstance(self.replicated, Mapping) or any(
                isinstance(names, str) for names in self.replicated.values()):
            raise Error("replicated: expected a mapping from axes to lists of "
                        "inputs, such as {'tp': ['x', 'grad']}, got "
                        f"{self.replicated!r}")
        if self.pipeline is not None and not (
                isinstance(self.pipeline, str)
                or (isinstance(self.pipeline, Sequence)
                    and all(isinstance(one, str) for one in self.pipeline))):
            raise Error("pipeline: expected a string of passes, or a list of "
                        f"strings, got {self.pipeline!r}")
        if not isinstance(self.deadline, (int, float)) or not self.deadline > 0:
            raise Error("deadline: expected a number of seconds above 0, got "
                        f"{self.deadline!r}")


def _make_error(error: Exception) -> Error:
    if isinstance(error, Error):
        return error
    made = Error(_describe(error))
    made.__cause__ = error
    return made


def _describe(error: Exception) -> str:
    """The message, with the type of an error that is PyTorch's: some messages are
    only the name of an op."""
    return (str(error) if isinstance(error, Error)
            else f"{type(error).__name__}: {error}")


def _summarize(error: BaseException) -> str:
    """The type and the first line of the error inside of Dynamo's wrapper."""
    inner = getattr(error, "inner_exception", None) or error
    lines = str(inner).strip().splitlines()
    return ": ".join([type(inner).__name__, *lines[:1]])


#: Files of PyTorch with functions that only call the user's function.
_WRAPPERS = (torch.nn.modules.module.__file__,
             torch._dynamo.external_utils.__file__)


def _is_whole(gm: fx.GraphModule, code: Optional[types.CodeType]) -> bool:
    """Whether a graph of Dynamo is a function from its arguments to its results. If
    something in the function cannot be captured, the graphs before and after it,
    and the graphs of functions that it calls, have other arguments and results,
    which may have the same names."""
    reason = getattr(gm, "compile_subgraph_reason", None)
    if reason is not None and reason.graph_break:
        return False
    traced = TracingContext.get_traced_code()
    if not traced or traced[0].co_filename in _WRAPPERS:
        return True
    return traced[0] == code if code is not None else _is_outermost()


def _is_outermost() -> bool:
    """Whether torch.compile itself called the frame that is compiled, and no function
    of the user in between."""
    frame = sys._getframe()
    files = []
    while frame is not None and not (
            files and frame.f_code.co_filename == torch._dynamo.eval_frame.__file__):
        if files or frame.f_code.co_filename == torch._dynamo.convert_frame.__file__:
            files.append(frame.f_code.co_filename)
        frame = frame.f_back
    while files and files[-1] in _WRAPPERS:
        files.pop()
    return frame is not None and files[-1:] == [torch._dynamo.convert_frame.__file__]


class _Compilation:
    """A graph of Dynamo, with the names and placements of its inputs."""

    def __init__(self, options: _Options, versions: Versions, gm: fx.GraphModule,
                 example_inputs: Sequence[Any]):
        self.options = options
        self.versions = versions
        self.names = of_inputs.get_source_names(gm)
        mesh, self.placed = of_inputs.get_placed(example_inputs)
        self.mesh = options.mesh if options.mesh is not None else mesh
        self.replicated = options.replicated
        if self.replicated and not _is_whole(gm, options.code_object):
            self.replicated = {}
            warnings.warn(
                f"moe_mlir.optimize_torch: {options.name} is split into several "
                "graphs, so replicated= is not used: it has names of arguments and "
                "results of the whole function. With fullgraph=True, PyTorch "
                "reports what splits it", OptimizeWarning, stacklevel=3)
        if len(self.names) != len(self.placed):
            self.placed = [[] for _ in self.names]
        #: The graph that all ranks have rewritten.
        self.rewritten: Optional[Rewritten] = None

    def _warn(self, error: Exception) -> None:
        warnings.warn(f"moe_mlir.optimize_torch: {self.options.name} runs "
                      f"unchanged: {_describe(error)}", OptimizeWarning,
                      stacklevel=3)

    def rewrite(self, gm: fx.GraphModule) -> fx.GraphModule:
        options = self.options
        try:
            facts = Facts(self.mesh, of_inputs.name_replicated(
                gm, self.names, self.placed, self.replicated))
            made = rewrite_graph(
                gm, facts, pipeline=options.pipeline,
                platform=options.platform, tool=options.tool,
                deadline=options.deadline,
                decompositions=self._get_decompositions(),
                versions=self.versions)
        except RanksError:
            raise
        except Exception as error:  # the function runs unchanged
            if options.strict:
                raise _make_error(error)
            self._warn(error)
            return gm
        if made is None:
            return gm
        self.rewritten = made
        if options.on_rewritten is not None:
            options.on_rewritten(made)
        return made.graph

    def _get_decompositions(self) -> Decompositions:
        if self.options.code != "inductor":
            return {}
        from .inductor import get_decompositions
        return get_decompositions()

    def compile(self, gm: fx.GraphModule, example_inputs: Any,
                falls_back: bool) -> Any:
        """Code for a graph of Dynamo. If this fails and `falls_back` is set, the
        code is PyTorch's own interpreter, after a warning."""
        code, problem = None, None
        try:
            code = self._compile(gm, example_inputs)
        except (RanksError, _Stop):
            raise
        except Exception as error:
            problem = error
        made = self.rewritten
        if made is not None and made.is_known:
            if problem is not None:
                raise RanksError(f"{self.versions.function}, which other ranks run "
                                 f"rewritten: {_describe(problem)}") from problem
        elif made is not None:
            # The other ranks have the rewritten graph, which has other
            # collectives than this one: all run it, or none does.
            problem = make_agreement(self.mesh, self.options.deadline).tell(
                problem)
            if problem is not None and made.kind is not None:
                self.versions.known.pop(made.kind, None)
                if falls_back:
                    self.versions.known[made.kind] = _describe(problem)
        if problem is None:
            return code
        if self.options.strict:
            raise _make_error(problem)
        if not falls_back:
            raise problem
        self._warn(problem)
        return gm.forward

    def _compile(self, gm: fx.GraphModule, example_inputs: Any) -> Any:
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


#: The graphs of a function, by its code and the options.
_AllVersions = Dict[Any, Versions]


def _find_versions(known: _AllVersions, options: _Options) -> Versions:
    traced = TracingContext.get_traced_code()
    code = traced[0] if traced else None
    # Groups that passes add end with the job's group.
    key = code, id(torch.distributed.group.WORLD), repr(
        [getattr(options, name) for name in
         ("pipeline", "platform", "replicated", "code")])
    where = ("a graph" if code is None else
             f"{code.co_name} ({os.path.basename(code.co_filename)}:"
             f"{code.co_firstlineno})")
    return known.setdefault(key, Versions(where))


class _Backend:
    """The function that Dynamo calls with each graph."""

    def __init__(self, options: _Options, known: Optional[_AllVersions] = None):
        self._options = options
        self._known: _AllVersions = {} if known is None else known
        #: Whether a graph that cannot be compiled runs unchanged.
        self.falls_back = not options.strict

    def __call__(self, gm: fx.GraphModule, example_inputs: Sequence[Any]) -> Any:
        versions = _find_versions(self._known, self._options)
        return _Compilation(self._options, versions, gm, example_inputs).compile(
            gm, example_inputs, self.falls_back)


#: Options of jobs that select the backend by its name.
_defaults: Dict[str, Any] = {}
#: The graphs that the backend has compiled without `optimize_torch`.
_known: _AllVersions = {}


def configure(**options: Any) -> None:
    """Sets options of `optimize_torch` for jobs that select the backend only by its
    name: `torch.compile(model, backend="moe_mlir")`. The backend's own options
    override them. A second call replaces all of them."""
    try:
        _Options(**options)
    except TypeError as error:
        raise Error(f"configure: {error}") from error
    _defaults.clear()
    _defaults.update(options)


def compile_backend(gm: fx.GraphModule, example_inputs: Sequence[Any], *,
                    options: Optional[Dict[str, Any]] = None,
                    **_: Any) -> Callable[..., Any]:
    """The backend `moe_mlir` of `torch.compile`. It takes the options of
    `optimize_torch`."""
    try:
        made = _Options(**{**_defaults, **(options or {})})
    except TypeError as error:
        raise Error(f"torch.compile(backend='moe_mlir'): options: {error}"
                    ) from error
    return _Backend(made, _known)(gm, example_inputs)


@contextlib.contextmanager
def layer(name: str) -> Iterator[None]:
    """Marks the ops that are traced inside as a layer with this name. The nodes
    of the backward pass have the mark too."""
    from torch.fx.traceback import annotate
    with annotate({"moe_layer": name}):
        yield


class _FrameCompiler:
    """Compiles a frame: a function, or its rest after a break of the graph. If
    Dynamo raises an error, compiles the frame again, with its ops whose results
    have computed sizes (bincount) left out of graphs. If this fails too, lets the
    backend fall back. No op of the frame has run by then, so none runs twice."""

    def __init__(self, convert: Any, backend: _Backend, name: str):
        self._convert = convert
        self._backend = backend
        #: PyTorch follows this attribute to the backend of a frame. It must be an
        #: attribute of the object, because a Python function for it would be
        #: compiled too.
        self._torchdynamo_orig_backend = convert._torchdynamo_orig_backend
        self._name = name
        #: The code of frames that need graphs without such ops.
        self._split: Set[types.CodeType] = set()

    @property
    def _clone_with_backend(self) -> Any:
        """PyTorch makes another compiler from this for modules of DDP."""
        return self._convert._clone_with_backend

    def __call__(self, frame: Any, *args: Any, **kwargs: Any) -> Any:
        if frame.f_code in self._split:
            return self._leave_out(frame, *args, **kwargs)
        self._backend.falls_back = False
        try:
            return self._convert(frame, *args, **kwargs)
        except (torch._dynamo.exc.TorchDynamoException,
                GuardOnDataDependentSymNode) as error:
            problem = error
            self._raise_if_ranks_differ(error)
            # Ranks run the same function, so all of them come here.
            try:
                made = self._leave_out(frame, *args, **kwargs)
            except (torch._dynamo.exc.TorchDynamoException,
                    GuardOnDataDependentSymNode) as another:
                self._raise_if_ranks_differ(another)
                made = None
        finally:
            self._backend.falls_back = True
        if made is None:  # computed sizes are not the reason
            return self._convert(frame, *args, **kwargs)
        warnings.warn(
            f"moe_mlir.optimize_torch: {self._name}: cannot be compiled as one "
            "graph, so ops whose results have computed sizes split it: "
            f"{_summarize(problem)}", OptimizeWarning, stacklevel=2)
        self._split.add(frame.f_code)
        return made

    @staticmethod
    def _raise_if_ranks_differ(error: BaseException) -> None:
        if isinstance(getattr(error, "inner_exception", None), RanksError):
            raise error

    def _leave_out(self, *args: Any, **kwargs: Any) -> Any:
        with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=False):
            return self._convert(*args, **kwargs)


class OptimizedTorch:
    """A function with rewritten communication. It is rewritten once per combination
    of argument shapes, and has the attributes of the original."""

    def __init__(self, function: Callable[..., Any], options: _Options,
                 fullgraph: bool):
        if isinstance(function, type) or not callable(function):
            raise Error("optimize_torch: expected a module or a function, got "
                        f"{function!r}")
        options.name = getattr(function, "__name__", type(function).__name__)
        options.code_object = getattr(
            function.forward if isinstance(function, torch.nn.Module) else function,
            "__code__", None)
        # Not by attribute: a module would register the original as its child.
        self.__dict__.update(_function=function, _options=options,
                             _fullgraph=fullgraph,
                             _compiled=self._compile(function, options, fullgraph))
        if not isinstance(self, torch.nn.Module):
            functools.update_wrapper(self, function, updated=())

    @staticmethod
    def _compile(function: Callable[..., Any], options: _Options,
                 fullgraph: bool) -> Any:
        backend = _Backend(options)
        # Call the function behind torch.compile, because torch.compile's result
        # hides the context.
        context = torch._dynamo.optimize(backend, nopython=fullgraph,
                                         dynamic=False)
        compile_frame = getattr(context, "callback", None)
        if compile_frame is not None and not (fullgraph or options.strict):
            compile_frame._torchdynamo_orig_backend = _FrameCompiler(
                compile_frame._torchdynamo_orig_backend, backend, options.name)
        return context(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self._compiled, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._function, name)

    def __deepcopy__(self, memo: Any) -> "OptimizedTorch":
        return self  # as copies of functions are

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
        compiled = self._compile(self._function, options, fullgraph=True)
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


class OptimizedModule(OptimizedTorch, torch.nn.Module):
    """A module with rewritten communication. It can take the place of the original in
    a model: parameters, buffers, children and hooks of checkpoints are the
    original's, with the same names. Only hooks of the forward and backward pass are
    its own, and run outside of the compiled code."""

    #: What a module shares with the original.
    _SHARED = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set",
               "_state_dict_hooks", "_state_dict_pre_hooks",
               "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks")

    def __init__(self, function: torch.nn.Module, options: _Options,
                 fullgraph: bool):
        torch.nn.Module.__init__(self)
        OptimizedTorch.__init__(self, function, options, fullgraph)
        self.__dict__.update((name, function.__dict__[name])
                             for name in self._SHARED)
        del self.__dict__["training"]

    __call__ = torch.nn.Module.__call__

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self._compiled, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        function = self.__dict__.get("_function")
        if function is None:  # before __init__
            raise AttributeError(name)
        return getattr(function, name)

    def __setattr__(self, name: str, value: Any) -> None:
        # FSDP2 gives the module that it shards another class.
        if (name == "__class__" or name in self.__dict__
                or "_function" not in self.__dict__):
            object.__setattr__(self, name, value)
        else:
            setattr(self._function, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._function, name)

    # The original may have methods of its own for these.

    def train(self, mode: bool = True) -> "OptimizedModule":
        self._function.train(mode)
        return self

    def apply(self, fn: Callable[..., Any]) -> "OptimizedModule":
        self._function.apply(fn)
        return self

    def _apply(self, *args: Any, **kwargs: Any) -> "OptimizedModule":
        self._function._apply(*args, **kwargs)
        return self

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        return self._function.state_dict(*args, **kwargs)

    def _load_from_state_dict(self, *args: Any, **kwargs: Any) -> None:
        self._function._load_from_state_dict(*args, **kwargs)

    def __deepcopy__(self, memo: Any) -> "OptimizedModule":
        made = OptimizedModule(copy.deepcopy(self._function, memo),
                               dataclasses.replace(self._options),
                               self._fullgraph)
        memo[id(self)] = made
        return made

    def __reduce__(self) -> Any:
        """Code is compiled again where the module is loaded."""
        return OptimizedModule, (self._function, self._options, self._fullgraph)


def _call(compiled: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Calls a compiled function. Raises moe-mlir's `Error` instead of Dynamo's
    wrapper."""
    try:
        # Captures split sizes that are computed, and ops whose results have
        # computed sizes (bincount), instead of breaking the graph.
        with torch._dynamo.config.patch(
                capture_scalar_outputs=True,
                capture_dynamic_output_shape_ops=True):
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
    options = _Options(pipeline, platform, replicated or {}, mesh, code,
                       tool, strict, deadline)

    def make(function: Any) -> OptimizedTorch:
        of = (OptimizedModule if isinstance(function, torch.nn.Module)
              else OptimizedTorch)
        return of(function, options, fullgraph)

    return make if function is None else make(function)
