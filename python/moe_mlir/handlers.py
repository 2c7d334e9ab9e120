"""Handlers of XLA's FFI. A C++ compiler on the machine that uses them compiles the
sources in this folder with JAX's headers. The libraries are kept in
~/.cache/moe_mlir."""

import ctypes
import hashlib
import os
import pathlib
from typing import Any, Optional, Sequence

import jax
import jax.ffi

from .programs import compile_library, get_cache

_SOURCES = pathlib.Path(__file__).parent
#: XLA ends a process whose devices wait for 40 s: an error comes before.
TIMEOUT_MS = 20000


def let_devices_wait() -> None:
    """Gives XLA more threads than devices that wait in its collectives, because
    otherwise a waiting device may occupy the thread that another one needs. XLA
    reads NPROC when devices are first used."""
    os.environ.setdefault("NPROC", "64")


def compile_handler(who: str, source: str, *, compiler: Optional[str] = None,
                    key: bytes = b"", flags: Sequence[str] = (),
                    inputs: Sequence[pathlib.Path] = ()) -> Any:
    """Compiles the library of a source once and loads it. `inputs` are linked; `key`
    identifies the inputs and the flags."""
    path = _SOURCES / source
    digest = hashlib.sha256(path.read_bytes()
                            + (_SOURCES / "cpu_handlers.h").read_bytes()
                            + jax.__version__.encode() + key).hexdigest()[:16]
    made = get_cache() / f"{path.stem}-{digest}.so"
    if not made.exists():
        compile_library(who, made, [
            "-I", jax.ffi.include_dir(), str(path), *flags,
            *(str(one) for one in inputs)], compiler)
    return ctypes.CDLL(str(made))


def register(target: str, function: Any, platform: str = "cpu",
             instantiate: Any = None) -> None:
    """Registers functions of a loaded library for calls of `target`: `function` for
    each run, and `instantiate` for each executable."""
    run = jax.ffi.pycapsule(function)
    jax.ffi.register_ffi_target(
        target, run if instantiate is None else
        {"instantiate": jax.ffi.pycapsule(instantiate), "execute": run},
        platform=platform)


def register_state(name: str, type_id: Any, type_info: Any,
                   platform: str) -> None:
    """Makes a type known that `instantiate` makes one of: functions of a loaded
    library that give its XLA_FFI_TypeId and XLA_FFI_TypeInfo."""
    for function in (type_id, type_info):
        function.restype = ctypes.c_void_p
    jax.ffi.register_ffi_type(
        name, {"type_id": jax.ffi.pycapsule(ctypes.c_void_p(type_id())),
               "type_info": jax.ffi.pycapsule(ctypes.c_void_p(type_info()))},
        platform=platform)


def register_meeting(target: str, library: Any, function: Any) -> None:
    """Registers a function of a library for calls of `target` on CPU devices, which
    meet at the ops that call it (cpu_handlers.h)."""
    # XLA needs the type before the function. If JAX has no devices yet, it queues
    # both, and registers functions first unless it can register the type now.
    from jaxlib import xla_client
    xla_client.register_custom_type_handler(
        "cpu", xla_client._xla.register_custom_type)
    register_state(target + "_op", library.MoeOpId, library.MoeOpInfo, "cpu")
    register(target, function, "cpu", library.MoeMakeOp)
