"""Programs of the compiler as calls in JAX programs, on GPUs with NCCL."""

import ctypes
import socket
from typing import Any, List, Optional, Sequence, Union

import jax
import jax.ffi
import numpy as np

from . import handlers
from ._library import Error
from .compiled import Code, Compiled
from .modules import Module

_PLATFORM = "CUDA"


class CompiledOnGpu(Compiled):
    """A program of all ranks, compiled for GPUs, whose runs are enqueued on XLA's
    stream. `library` is the handler's library, and `workspace` the memory in bytes
    that a run needs in addition to arguments and results."""

    def __init__(self, code: Code, library: Any, address: Optional[str],
                 timeout_ms: int):
        super().__init__(code.target, code.ranks, code.axes, code.arguments,
                         code.results)
        library.MoeWorkspaceBytes.restype = ctypes.c_int64
        self.library = library
        self.workspace = int(library.MoeWorkspaceBytes())
        self._address = address
        self._timeout_ms = timeout_ms
        self._ports: List[socket.socket] = []

    def _call(self, place: Any, given: List[Any]) -> Sequence[Any]:
        sizes = jax.sharding.get_abstract_mesh().shape
        self.meet(int(np.prod([size for axis, size in sizes.items()
                               if axis not in self._axes])))
        workspace = jax.ShapeDtypeStruct((self.workspace,), np.uint8)
        return jax.ffi.ffi_call(
            self._target, [*self.results, workspace], has_side_effect=True)(
                place, *given, timeout_ms=np.int64(self._timeout_ms))[:-1]

    def meet(self, groups: int) -> None:
        """Sets the address at which the ranks of each group meet. Needed for calls
        that are not traced here, for example from exported programs."""
        if self._address is None and jax.process_count() > 1:
            raise Error(
                "compiled_on_gpu: expected address=HOST:PORT of the process of "
                "rank 0, as there are several processes")
        for group in range(groups):
            if self._address is not None:
                host, port = self._address.rsplit(":", 1)
                address = f"{host}:{int(port) + group}"
            else:
                if group == len(self._ports):
                    self._ports.append(_reserve_port())
                address = "127.0.0.1:%d" % self._ports[group].getsockname()[1]
            self.library.MoeMeetAt(group, address.encode())


def _reserve_port() -> socket.socket:
    """Reserves a port at which rank 0 can listen."""
    port = socket.socket()
    port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    port.bind(("127.0.0.1", 0))
    return port


def compiled_on_gpu(program: Union[Module, str], *,
                    axes: Optional[Sequence[str]] = None,
                    entry: Optional[str] = None,
                    compiler: Optional[str] = None,
                    address: Optional[str] = None,
                    timeout_s: Optional[float] = None,
                    stand_ins: bool = False) -> CompiledOnGpu:
    """Compiles a program for JAX's CUDA devices, one for each rank, which send by
    NCCL. Calls are the same as for `compiled_on_cpu`. The host waits for a device
    only in the first call of an executable, to read its rank.

    With several processes, `address` is HOST:PORT in the process of rank 0, where
    ranks meet; further groups of ranks meet at the following ports. A rank that
    does not join within `timeout_s` (default: 600 s) is an error on all ranks, and
    in all later calls. `stand_ins` compiles for the CUDA stand-ins of the runtime
    instead of a device, for tests. Needs a C++ compiler, $CXX or the system's, and
    the libraries of CUDA only on the machine that runs the program."""
    if address is not None and not (":" in address and
                                    address.rsplit(":", 1)[1].isdecimal()):
        raise Error("compiled_on_gpu: expected address=HOST:PORT, got "
                    f"{address!r}")
    code = Code("compiled_on_gpu", program, axes, entry,
                "nccl-stand-ins" if stand_ins else "nccl")
    library = code.compile(compiler, [
        f"-DMOE_ENQUEUE={code.name}_enqueue",
        f"-DMOE_WORKSPACE_BYTES={code.name}_workspace_bytes"])
    handlers.register_state(code.target + "_places", library.MoePlacesId,
                            library.MoePlacesInfo, _PLATFORM)
    handlers.register(code.target, library.MoeRunCompiled, _PLATFORM,
                      library.MoeMakePlaces)
    return CompiledOnGpu(code, library, address,
                         -1 if timeout_s is None else int(timeout_s * 1000))
