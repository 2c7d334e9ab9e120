"""Programs of the compiler as calls in JAX programs, on CPU devices and GPUs."""

import hashlib
import pathlib
import tempfile
from typing import Any, List, Optional, Sequence, Union

import jax
import jax.ffi
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import handlers, programs
from ._library import Error, find_part
from .modules import Module, get_dtype


class Compiled:
    """A program of all ranks, compiled. Called inside of `jax.shard_map` with the
    arguments of one rank, whose results it returns: one, or a tuple."""

    def __init__(self, target: str, ranks: int, axes: Sequence[str],
                 arguments: List[jax.ShapeDtypeStruct],
                 results: List[jax.ShapeDtypeStruct]):
        self._target = target
        self._ranks = ranks
        self._axes = tuple(axes)
        self.arguments = arguments
        self.results = results

    def __call__(self, *arguments: Any) -> Any:
        given = [jnp.asarray(argument) for argument in arguments]
        if len(given) != len(self.arguments):
            raise Error(f"expected {len(self.arguments)} arguments, got "
                        f"{len(given)}")
        for i, (have, want) in enumerate(zip(given, self.arguments)):
            if (have.shape, have.dtype) != (want.shape, want.dtype):
                raise Error(f"argument {i}: expected {want.dtype}"
                            f"{list(want.shape)}, got {have.dtype}"
                            f"{list(have.shape)}")
        results = self._call(self._place(), given)
        return results[0] if len(results) == 1 else tuple(results)

    def _call(self, place: Any, given: List[Any]) -> Sequence[Any]:
        return jax.ffi.ffi_call(
            self._target, self.results, has_side_effect=True)(
                place, *given, timeout_ms=np.int64(handlers.TIMEOUT_MS))

    def _place(self) -> Any:
        """This device's rank, and which of the groups of ranks it is in: devices
        that differ in other axes of JAX's mesh run the program apart."""
        sizes = dict(jax.sharding.get_abstract_mesh().shape)
        missing = [axis for axis in self._axes if axis not in sizes]
        if missing:
            raise Error(f"expected to be in a jax.shard_map over the axes "
                        f"{', '.join(self._axes)}, found no {missing[0]}")
        ranks = int(np.prod([sizes[axis] for axis in self._axes]))
        if ranks != self._ranks:
            raise Error(f"expected {self._ranks} devices along "
                        f"{', '.join(self._axes)}, got {ranks}")
        rest = tuple(axis for axis in sizes if axis not in self._axes)
        group = lax.axis_index(rest) if rest else 0
        return jnp.stack([jnp.int32(lax.axis_index(self._axes)),
                          jnp.int32(group)])


class Code:
    """A program as code for one kind of device: its properties, and the handler
    that calls it, which is compiled on the machine that uses it."""

    def __init__(self, who: str, program: Union[Module, str],
                 axes: Optional[Sequence[str]], entry: Optional[str],
                 backend: str = "host"):
        text = str(program)
        self.axes = (list(axes) if axes is not None
                     else programs.get_axes(text))
        if not self.axes:
            raise Error(f"{who}: expected a program with a mesh, or axes")
        self._program = programs.Program(who, text, entry, backend)
        self.arguments, self.results = (
            [jax.ShapeDtypeStruct(one.shape, get_dtype(one.element))
             for one in types]
            for types in (self._program.arguments, self._program.results))
        self.ranks = self._program.ranks
        self.name = self._program.name
        self._who = who
        self._library = find_part("libmoert.a", "lib/libmoert.a")
        self._include = find_part("moert.h", "include/moert.h").parent
        self._key = hashlib.sha256(
            backend.encode() + self._program.header.encode() +
            self._program.object + self._library.read_bytes()).digest()
        self.target = "moe_compiled_" + self._key.hex()[:16]

    def compile(self, compiler: Optional[str], flags: Sequence[str]) -> Any:
        """The library of the handler, loaded."""
        name = self.name
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "program.o").write_bytes(self._program.object)
            (path / "program.h").write_text(self._program.header)
            return handlers.compile_handler(
                self._who, "compiled.cc", compiler=compiler, key=self._key,
                flags=["-I", str(self._include),
                       "-include", str(path / "program.h"), *flags,
                       *(f"-DMOE_NUM_{n}={name}_NUM_{n}"
                         for n in ("RANKS", "INPUTS", "RESULTS")),
                       *(f"-DMOE_{n.upper()}_BYTES={name}_{n}_bytes"
                         for n in ("input", "result")),
                       "-Wl,-Bsymbolic"],
                inputs=[path / "program.o", self._library,
                        pathlib.Path("-ldl"), pathlib.Path("-pthread")])


def compiled_on_cpu(program: Union[Module, str], *,
                    axes: Optional[Sequence[str]] = None,
                    entry: Optional[str] = None,
                    compiler: Optional[str] = None) -> Compiled:
    """Compiles a program for JAX's CPU devices, one for each rank.

    `axes` lists the axes of JAX's mesh for the program's axes in their order; by
    default, axes with the same names. Calls must be inside `jax.shard_map` with
    `check_vma=False`. A rank that does not join within 20 s, because its device
    runs something else, is an error. Must be called before the first use of JAX's
    devices, because it sets NPROC. Needs a C++ compiler, $CXX or the system's."""
    handlers.let_devices_wait()
    code = Code("compiled_on_cpu", program, axes, entry)
    library = code.compile(compiler, [f"-DMOE_RUN={code.name}"])
    handlers.register_meeting(code.target, library, library.MoeRunCompiled)
    return Compiled(code.target, code.ranks, code.axes, code.arguments,
                    code.results)
