"""`jax.lax.ragged_all_to_all` on CPU devices, where JAX itself has none."""

import ctypes
import hashlib
import itertools
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Optional

import jax
import jax.ffi
import jax.interpreters.mlir as jax_mlir
import numpy as np
from jax import lax
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from ._library import Error

_SOURCE = pathlib.Path(__file__).parent / "ragged_cpu.cc"
_TARGET = "moe_ragged_all_to_all"
#: XLA ends a process whose devices wait for 40 s: an error comes before.
_TIMEOUT_MS = 20000

_library: Any = None
_calls = itertools.count()


def _compile(compiler: Optional[str]) -> pathlib.Path:
    """The handler, compiled once for this source and this JAX."""
    headers = jax.ffi.include_dir()
    digest = hashlib.sha256(
        _SOURCE.read_bytes() + jax.__version__.encode()).hexdigest()[:16]
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME",
                                        pathlib.Path.home() / ".cache"))
    path = cache / "moe_mlir" / f"ragged-{digest}.so"
    if path.exists():
        return path
    compiler = compiler or os.environ.get("CXX") or next(
        (c for c in ("c++", "clang++", "g++") if shutil.which(c)), None)
    if not compiler:
        raise Error("enable_ragged_on_cpu: expected a C++ compiler (c++, "
                    "clang++, g++ or $CXX), found none")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = pathlib.Path(folder) / "made.so"
        done = subprocess.run(
            [compiler, "-std=c++17", "-O2", "-fPIC", "-shared", "-I", headers,
             str(_SOURCE), "-o", str(made)],
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise Error(f"enable_ragged_on_cpu: {compiler} failed:\n"
                        f"{done.stderr.strip()[:2000]}")
        os.replace(made, path)
    return path


def enable_ragged_on_cpu(compiler: Optional[str] = None) -> None:
    """Lets `jax.lax.ragged_all_to_all` run on CPU devices, forward and backward:
    XLA has it for GPUs and TPUs only. To be called before the first use of JAX's
    devices: XLA needs more threads than devices wait (NPROC, set to 64 where it
    is not set), because devices may come to this exchange and to others of the
    program in different orders. `compiler` is a C++ compiler, $CXX or the
    system's without one; what it makes is kept in ~/.cache/moe_mlir."""
    global _library
    if _library is not None:
        return
    os.environ.setdefault("NPROC", "64")
    try:
        from jax._src.lax.parallel import _ragged_all_to_all_lowering as stock
    except ImportError as error:
        raise Error("enable_ragged_on_cpu: expected JAX 0.10 or 0.12, got "
                    f"{jax.__version__}: {error}") from error
    library = ctypes.CDLL(str(_compile(compiler)))
    jax.ffi.register_ffi_target(
        _TARGET, jax.ffi.pycapsule(library.MoeRaggedAllToAll), platform="cpu")

    def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
        # JAX's own call says which devices are a group.
        (result,) = stock(context, *operands, **parameters)
        call = result.owner
        config = ir.DictAttr(call.attributes["backend_config"])
        groups = np.asarray(
            ir.DenseIntElementsAttr(config["replica_groups"]))
        i64 = ir.IntegerType.get_signless(64)
        device = stablehlo.PartitionIdOp().result
        ours = stablehlo.CustomCallOp(
            result=[result.type],
            inputs=[*call.operands, device],
            call_target_name=ir.StringAttr.get(_TARGET),
            backend_config=ir.DictAttr.get({
                "call": ir.IntegerAttr.get(i64, next(_calls)),
                "group_size": ir.IntegerAttr.get(i64, groups.shape[1]),
                "timeout_ms": ir.IntegerAttr.get(i64, _TIMEOUT_MS),
                "groups": ir.DenseI64ArrayAttr.get(
                    [int(g) for g in groups.flat]),
            }),
            has_side_effect=ir.BoolAttr.get(True),
            api_version=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4))
        call.operation.erase() if hasattr(call, "operation") else call.erase()
        return ours.results

    jax_mlir.register_lowering(lax.ragged_all_to_all_p, lower, platform="cpu")
    _library = library
