"""JAX functions whose communication moe-opt rewrites.

    step = moe_mlir.optimize(train_step)        # or @moe_mlir.optimize(...)
    loss, gradients = step(parameters, tokens)  # trees and shardings as before

The function is lowered, moe-opt rewrites its StableHLO in a separate process,
and JAX compiles the result, using only the public interface of `jax.export`. A
function that moe-opt cannot rewrite, or returns with another @main, runs
unchanged, with a warning that gives the reason.
"""

import contextlib
import dataclasses
import functools
import operator
import os
import pathlib
import re
import warnings
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple, Union)

import jax
import jax.export
import jax.extend.core
from jax.extend.mlir import ir, serialize_portable_artifact
from jax.extend.mlir.dialects import stablehlo
from jax.interpreters import mlir as jax_mlir

from . import jax_plan, order
from ._library import Error
from .rewriting import (Explanation, OptimizeWarning, Remark, count_collectives,
                        get_passes, needs_layers, run_tool)

PathLike = Union[str, "os.PathLike[str]"]

#: A function for each class of arrays without tracers that returns their type.
_aval_of: Dict[type, Callable[[Any], Any]] = {}


@contextlib.contextmanager
def layer(name: str) -> Iterator[None]:
    """Marks the ops traced inside as a layer with this name. The mark stays on
    these ops through `grad` and up to the program that XLA compiles, where
    profiles show it as `moe_layer`."""
    from jax.experimental import xla_metadata
    with xla_metadata.set_xla_metadata(moe_layer=name):
        yield


def _generic(module: Any) -> str:
    return module.operation.get_asm(print_generic_op_form=True)


def _text_of(exported: Any) -> str:
    with jax_mlir.make_ir_context():
        return _generic(ir.Module.parse(exported.mlir_module()))


def _without_empty_meshes(exported: Any) -> Any:
    """Removes the empty meshes that JAX records for values without a mesh,
    because JAX's gradient of an export rejects them."""
    return dataclasses.replace(exported, **{
        name: tuple(None if one is not None and one.mesh.empty else one
                    for one in getattr(exported, name))
        for name in ("_in_named_shardings", "_out_named_shardings")
        if hasattr(exported, name)})


def _main_of(module: Any) -> List[Optional[str]]:
    """Returns the types and attributes that callers of a program see."""
    attributes = ir.SymbolTable(module.operation)["main"].attributes
    return [str(attributes[name]) if name in attributes else None
            for name in ("function_type", "arg_attrs", "res_attrs")]


def _is_traced(leaves: Sequence[Any]) -> bool:
    return any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)


def _serialize(module: Any) -> bytes:
    """Returns a program in the form that `jax.export` stores. XLA does not accept
    text everywhere."""
    version = stablehlo.get_version_from_compatibility_requirement(
        stablehlo.StablehloCompatibilityRequirement.WEEK_4)
    return serialize_portable_artifact(module, version, True)


def _find_mesh(jaxpr: Any) -> Optional[jax.sharding.Mesh]:
    """Returns the mesh that a function names in its `shard_map`, or None."""
    for eqn in jaxpr.eqns:
        if isinstance(eqn.params.get("mesh"), jax.sharding.Mesh):
            return eqn.params["mesh"]
        for inner in jax.extend.core.jaxprs_in_params(eqn.params):
            mesh = _find_mesh(inner)
            if mesh is not None:
                return mesh
    return None


def _on_mesh_of(jaxpr: Any, exported: Any) -> Callable[..., Any]:
    """Returns the call of a program whose arguments have no devices (NumPy arrays,
    or arrays that JAX has not placed). The call runs on the devices that the
    function names, as with jit. XLA chooses the layout of each argument."""
    mesh = _find_mesh(jaxpr)
    if mesh is None or mesh.size != exported.nr_devices:
        return exported.call
    free = jax.sharding.PartitionSpec.UNCONSTRAINED

    def place(leaf: Any) -> Any:
        spec = jax.sharding.PartitionSpec(*[free] * jax.numpy.ndim(leaf))
        return jax.lax.with_sharding_constraint(
            leaf, jax.sharding.NamedSharding(mesh, spec))

    def call(*args: Any, **kwargs: Any) -> Any:
        return exported.call(*jax.tree.map(place, args),
                             **jax.tree.map(place, kwargs))
    return call


class Optimized:
    """A function whose communication is rewritten, once per combination of the
    arguments' shapes and shardings. Called like the function."""

    def __init__(self, function: Callable[..., Any], *,
                 platform: Optional[str] = None,
                 pipeline: Optional[Union[str, Sequence[str]]] = None,
                 donate_argnums: Union[int, Sequence[int]] = (),
                 tool: Optional[str] = None, strict: bool = False):
        self._function = (function if hasattr(function, "lower")
                          else jax.jit(function, donate_argnums=donate_argnums))
        self._passes = get_passes(pipeline, platform)
        self._donate = donate_argnums
        self._tool = tool
        self._strict = strict
        self._calls: Dict[Any, Callable[..., Any]] = {}
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            key = self._get_key(args, kwargs)
            call = self._calls.get(key)
        except TypeError as error:  # a leaf that is no array
            self._give_up(error)
            return self._function(*args, **kwargs)
        if call is None:
            call = self._calls[key] = self._build(args, kwargs)
        return call(*args, **kwargs)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """Lowers the function as it was written, as `jax.jit` does."""
        return self._function.lower(*args, **kwargs)

    def stablehlo(self, *args: Any, **kwargs: Any) -> str:
        """The rewritten program of such arguments, as StableHLO."""
        return self.explain(*args, **kwargs).after

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """Explains the rewriting of the function for these arguments without
        running it. Raises an `Error` where `__call__` would warn."""
        before = _text_of(self._export(args, kwargs))
        after, remarks = self._rewrite(before)
        return Explanation(before, after,
                           count_collectives(before, "stablehlo."),
                           count_collectives(after, "stablehlo."),
                           list(map(str, remarks)))

    def plan(self, *args: Any, **kwargs: Any) -> jax_plan.FunctionPlan:
        """Returns the treatment of each exchange of the function for these
        arguments, with reasons, without running it. Raises an `Error` where
        `__call__` would warn."""
        return jax_plan.make_plan(_text_of(self._export(args, kwargs)),
                                  self._rewrite)

    def export(self, *args: Any, **kwargs: Any) -> Any:
        """The rewritten program as a `jax.export.Exported`."""
        return self._replace(self._export(args, kwargs))

    def _get_key(self, args: Any, kwargs: Any) -> Any:
        leaves, tree = jax.tree.flatten((args, kwargs))
        try:
            # Calls of compiled functions wait only for this lookup.
            return tree, tuple([
                (_aval_of[type(leaf)](leaf),
                 leaf.sharding if leaf.committed else None)
                for leaf in leaves])
        except KeyError:
            pass
        # Inside another jit, only shapes are known.
        is_traced = _is_traced(leaves)
        for leaf in leaves:
            if isinstance(leaf, jax.Array) and not is_traced:
                _aval_of[type(leaf)] = operator.attrgetter("aval")
        return tree, tuple(
            (jax.typeof(leaf), leaf.sharding
             if not is_traced and isinstance(leaf, jax.Array) and leaf.committed
             else None)
            for leaf in leaves)

    def _give_up(self, error: Exception) -> None:
        if self._strict:
            raise error if isinstance(error, Error) else Error(str(error))
        name = getattr(self._function, "__name__", "a function")
        warnings.warn(f"moe_mlir.optimize: {name} runs as it was: {error}",
                      OptimizeWarning, stacklevel=4)

    def _build(self, args: Any, kwargs: Any) -> Callable[..., Any]:
        try:
            exported = self.export(*args, **kwargs)
        except Exception as error:  # whatever it is, the function still runs
            self._give_up(error)
            return self._function
        call = exported.call
        leaves = jax.tree.leaves((args, kwargs))
        if (exported.nr_devices > 1 and not _is_traced(leaves)
                and not any(getattr(leaf, "committed", False)
                            for leaf in leaves)):
            call = _on_mesh_of(self._function.trace(*args, **kwargs).jaxpr,
                               exported)
        return jax.jit(call, donate_argnums=self._donate)

    def _export(self, args: Any, kwargs: Any) -> Any:
        if _is_traced(jax.tree.leaves((args, kwargs))):
            # None of the others may say where they are: XLA ends the process
            # over a gradient of some such.
            args, kwargs = jax.tree.map(
                lambda x: jax.ShapeDtypeStruct(jax.typeof(x).shape,
                                               jax.typeof(x).dtype),
                (args, kwargs))
        lowered = self._function.lower(*args, **kwargs)
        called = set(re.findall(r'call_target_name = "([^"]+)"',
                                _generic(lowered.compiler_ir("stablehlo"))))
        allowed = [jax.export.DisabledSafetyCheck.custom_call(name)
                   for name in sorted(called)]
        return jax.export.export(self._function, disabled_checks=allowed)(
            *args, **kwargs)

    def _rewrite(self, text: str) -> Tuple[str, List[Remark]]:
        """The text that comes back, checked: a program for JAX with the same
        @main."""
        layers = str(needs_layers(self._passes)).lower()
        changed, remarks = run_tool(
            text, f"convert-stablehlo-to-moe=layers={layers}", self._passes,
            "convert-moe-to-stablehlo", self._tool)
        with jax_mlir.make_ir_context():
            before = ir.Module.parse(text)
            try:
                after = ir.Module.parse(changed)
                after.operation.verify()
            except ir.MLIRError as error:
                raise Error(f"moe-opt: expected a program that JAX takes, got: "
                            f"{error}") from error
            if _main_of(before) != _main_of(after):
                raise Error(f"moe-opt: expected @main to stay, "
                            f"{_main_of(before)}, got {_main_of(after)}")
        return changed, remarks

    def _replace(self, exported: Any) -> Any:
        changed, _ = self._rewrite(_text_of(exported))
        with jax_mlir.make_ir_context():
            module = ir.Module.parse(changed)
            # XLA forgets donated arguments of programs that pass through a hook,
            # even unchanged ones. Programs with such arguments keep XLA's order.
            donates = isinstance(self._donate, int) or len(self._donate) > 0
            if not donates and order.number(module, changed):
                order.install()
            data = _serialize(module)
        vjp = None
        if exported.has_vjp():
            def vjp(_: Any) -> Any:
                return self._replace(_without_empty_meshes(exported).vjp())
        return dataclasses.replace(
            exported, mlir_module_serialized=data, _get_vjp=vjp)


def optimize(function: Optional[Callable[..., Any]] = None, *,
             platform: Optional[str] = None,
             pipeline: Optional[Union[str, Sequence[str]]] = None,
             donate_argnums: Union[int, Sequence[int]] = (),
             tool: Optional[str] = None, strict: bool = False) -> Any:
    """Rewrites the communication of a function: a train step (with the
    `value_and_grad` inside), or a `jax.jit`ed one.

    `pipeline` gives passes of moe-opt, as words or a list ("moe-pipeline{degree=2
    scope=layer} moe-schedule"). By default, data that are equal on several ranks
    are sent once. `platform` is a file or the name of a built-in platform for
    passes that need one. Donated arguments must be named again. A function that
    cannot be rewritten is an `Error` with `strict`, otherwise an
    `OptimizeWarning`."""
    options = dict(platform=platform, pipeline=pipeline,
                   donate_argnums=donate_argnums, tool=tool, strict=strict)
    if function is None:
        return functools.partial(optimize, **options)
    return Optimized(function, **options)


def save(path: PathLike, function: Optimized, *args: Any,
         **kwargs: Any) -> None:
    """Writes the rewritten program of such arguments to a file, which `load`
    runs in a process without moe-opt and the function. Needs the package
    flatbuffers, as `jax.export` does."""
    try:
        data = function.export(*args, **kwargs).serialize()
    except ImportError as error:
        raise Error("save: expected the package flatbuffers, which jax.export "
                    "writes with: pip install flatbuffers") from error
    pathlib.Path(path).write_bytes(data)


def load(path: PathLike) -> Callable[..., Any]:
    """The program that `save` wrote, to be called like the function."""
    return jax.jit(jax.export.deserialize(
        bytearray(pathlib.Path(path).read_bytes())).call)
