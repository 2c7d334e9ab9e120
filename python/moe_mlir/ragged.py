"""`jax.lax.ragged_all_to_all` on CPU devices, where JAX itself has none."""

from typing import Any, Optional

import jax
import jax.interpreters.mlir as jax_mlir
import numpy as np
from jax import lax
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from . import handlers
from ._library import Error

_TARGET = "moe_ragged_all_to_all"

_library: Any = None


def enable_ragged_on_cpu(compiler: Optional[str] = None) -> None:
    """Lets `jax.lax.ragged_all_to_all` run on CPU devices, forward and backward,
    because XLA supports it only for GPUs and TPUs. Must be called before the
    first use of JAX's devices, because it sets NPROC to 64 unless it is set: XLA
    needs more threads than waiting devices. `compiler` is a C++ compiler, by
    default $CXX or the system's. Its output is kept in ~/.cache/moe_mlir."""
    global _library
    if _library is not None:
        return
    handlers.let_devices_wait()
    try:
        from jax._src.lax.parallel import _ragged_all_to_all_lowering as stock
    except ImportError as error:
        raise Error("enable_ragged_on_cpu: expected JAX 0.10 or 0.12, got "
                    f"{jax.__version__}: {error}") from error
    library = handlers.compile_handler(
        "enable_ragged_on_cpu", "ragged_cpu.cc", compiler=compiler)
    handlers.register_meeting(_TARGET, library, library.MoeRaggedAllToAll)

    def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
        # JAX's own call determines the devices of a group.
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
                "group_size": ir.IntegerAttr.get(i64, groups.shape[1]),
                "timeout_ms": ir.IntegerAttr.get(i64, handlers.TIMEOUT_MS),
                "groups": ir.DenseI64ArrayAttr.get(
                    [int(g) for g in groups.flat]),
            }),
            has_side_effect=ir.BoolAttr.get(True),
            api_version=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4))
        call.operation.erase() if hasattr(call, "operation") else call.erase()
        return ours.results

    jax_mlir.register_lowering(lax.ragged_all_to_all_p, lower, platform="cpu")
    _library = library
