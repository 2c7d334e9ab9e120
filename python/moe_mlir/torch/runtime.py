"""A rank's place in a job of the runtime, libmoert, through ctypes.

The ranks meet through the job's store, so any backend of torch.distributed will do.
"""

import atexit
import ctypes
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int,
                    c_int32, c_int64, c_size_t, c_uint32, c_void_p)
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist

from .._library import Error
from ..programs import load_runtime
from .ranks import Agreement

_GATHER = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_size_t)
_MUST_ABORT = CFUNCTYPE(c_int, c_void_p)
_ABORTED = CFUNCTYPE(None, c_void_p, c_char_p)

#: How long a job may take to end, in microseconds.
_END_US = 10_000_000


class _Config(Structure):
    """moert_config."""

    _fields_ = [
        ("struct_size", c_size_t), ("backend", c_char_p), ("rank", c_int32),
        ("world_size", c_int32), ("address", c_char_p), ("token", c_char_p),
        ("deadline_us", c_int64), ("device", c_int32), ("links", c_void_p),
        ("num_links", c_int32), ("padding", c_int32), ("local_rank", c_int32),
        ("min_ctas", c_int32), ("max_ctas", c_int32),
        ("cga_cluster_size", c_int32), ("all_gather", _GATHER),
        ("must_abort", _MUST_ABORT), ("aborted", _ABORTED),
        ("bootstrap_user", c_void_p), ("cuda_graph", c_int32),
        ("register_buffers", c_int32),
    ]


class _Counts(Structure):
    """moert_counts."""

    _fields_ = [("size", c_uint32),
                *[(name, c_int64) for name in
                  ("buffers", "streams", "events", "communicators",
                   "host_waits")]]


_FUNCTIONS = {
    "moert_config_default_sized": [POINTER(_Config), c_size_t],
    "moert_init": [POINTER(_Config), POINTER(c_void_p)],
    "moert_finalize": [c_void_p, c_int64],
    "moert_context_counts": [c_void_p, POINTER(_Counts)],
    "moert_stream_adopt": [c_void_p, c_char_p, c_void_p, POINTER(c_void_p)],
    "moert_stream_synchronize": [c_void_p, c_int64],
    "moert_comm_adopt": [c_void_p, POINTER(c_int32), c_int32, c_void_p],
    "moert_buffer_create": [c_void_p, c_size_t, c_int, POINTER(c_void_p)],
    "moert_buffer_destroy": [c_void_p],
    "moert_copy": [c_void_p, c_void_p, c_void_p, c_size_t],
}


def _get_library(who: str, compiler: Optional[str]) -> ctypes.CDLL:
    library = load_runtime(who, compiler)
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = c_int
        function.argtypes = arguments
    library.moert_last_error.restype = c_char_p
    library.moert_last_error.argtypes = [c_void_p]
    library.moert_buffer_data.restype = c_void_p
    library.moert_buffer_data.argtypes = [c_void_p]
    return library


class Entry:
    """The functions of a compiled program in a loaded library."""

    def __init__(self, library: ctypes.CDLL, name: str):
        self.library = library
        self.run = getattr(library, name)
        self.run.restype = c_int
        self.run.argtypes = [c_void_p] * 3
        self.enqueue = getattr(library, f"{name}_enqueue")
        self.enqueue.restype = c_int
        self.enqueue.argtypes = [c_void_p] * 5
        size = getattr(library, f"{name}_workspace_bytes")
        size.restype = c_int64
        self.workspace = int(size())


def get_native_stream(device: torch.device) -> int:
    """PyTorch's current stream, a cudaStream_t."""
    return torch.cuda.current_stream(device).cuda_stream


def _pointers(tensors: Sequence[torch.Tensor]) -> Any:
    return (c_void_p * len(tensors))(*(t.data_ptr() for t in tensors))


class Job:
    """This rank in a job of some ranks. All of them make it at the same time, and
    run its programs in one order."""

    def __init__(self, who: str, backend: str, ranks: Sequence[int], rank: int,
                 deadline: float, compiler: Optional[str]):
        self._library = _get_library(who, compiler)
        self._who = who
        self._backend = backend
        self._lock = threading.Lock()
        self._streams: Dict[int, c_void_p] = {}
        self._problem: Optional[BaseException] = None
        self._agreement = Agreement(ranks, rank, deadline, "join the job")
        self._ranks = list(ranks)
        self._key = f"moe_mlir/aborted/{'-'.join(map(str, ranks))}"
        config = _Config()
        self._library.moert_config_default_sized(
            byref(config), ctypes.sizeof(config))
        config.backend = backend.removesuffix("-stand-ins").encode()
        config.rank = self._ranks.index(rank)
        config.world_size = len(ranks)
        config.deadline_us = int(deadline * 1e6)
        if backend == "nccl":
            config.device = torch.cuda.current_device()
        # The runtime calls them for as long as the job lives.
        self._callbacks = (_GATHER(self._gather), _MUST_ABORT(self._must_abort),
                           _ABORTED(self._tell))
        config.all_gather = self._callbacks[0]
        if backend == "nccl" and len(ranks) > 1:
            # Ranks of 'host' tell each other.
            config.must_abort, config.aborted = self._callbacks[1:]
        context = c_void_p()
        status = self._library.moert_init(byref(config), byref(context))
        if status:
            raise self._error(None)
        self._context: Optional[c_void_p] = context

    def _error(self, context: Optional[c_void_p]) -> Error:
        said = self._library.moert_last_error(context).decode(errors="replace")
        problem, self._problem = self._problem, None
        return Error(f"{self._who}: {said}"
                     + (f" ({problem})" if problem else ""))

    def _check(self, status: int) -> None:
        if status:
            raise self._error(self._context)

    def _gather(self, _: Any, mine: int, everyone: int, size: int) -> int:
        """Gathers bytes of all ranks through the store; on the runtime's thread."""
        try:
            given = self._agreement.exchange(ctypes.string_at(mine, size).hex())
            data = b"".join(bytes.fromhex(given[rank]) for rank in self._ranks)
            if len(data) != size * len(self._ranks):
                return 2
            ctypes.memmove(everyone, data, len(data))
            return 0
        except Exception as error:  # an exception cannot cross C
            self._problem = error
            return 1

    def _must_abort(self, _: Any) -> int:
        try:
            store = dist.distributed_c10d._get_default_store()
            return int(store.check([self._key]))
        except Exception:  # the store has ended, and the job with it
            return 1

    def _tell(self, _: Any, reason: bytes) -> None:
        try:
            store = dist.distributed_c10d._get_default_store()
            store.set(self._key, reason)
        except Exception as error:
            self._problem = error

    def adopt(self, ranks: Sequence[int], communicator: int) -> None:
        """Makes a communicator of NCCL the one for some ranks of PyTorch's."""
        places = [self._ranks.index(rank) for rank in ranks]
        self._check(self._library.moert_comm_adopt(
            self._context, (c_int32 * len(places))(*places), len(places),
            communicator))

    def run(self, entry: Entry, given: Sequence[torch.Tensor],
            made: Sequence[torch.Tensor]) -> None:
        """Runs a program. On GPUs it is put behind the work of PyTorch's current
        stream, and this returns at once."""
        with self._lock:
            if self._context is None:
                raise Error(f"{self._who}: the job has ended")
            if self._backend == "host":
                self._check(entry.run(self._context, _pointers(given),
                                      _pointers(made)))
            elif self._backend == "nccl":
                workspace = torch.empty(entry.workspace, dtype=torch.uint8,
                                        device=given[0].device)
                self._enqueue(entry, _pointers(given), _pointers(made),
                              workspace.data_ptr(), given[0].device)
            else:
                self._run_on_stand_ins(entry, given, made)

    def _adopt_stream(self, device: torch.device) -> c_void_p:
        native = get_native_stream(device)
        if native not in self._streams:
            adopted = c_void_p()
            self._check(self._library.moert_stream_adopt(
                self._context, b"torch", native, byref(adopted)))
            self._streams[native] = adopted
        return self._streams[native]

    def _enqueue(self, entry: Entry, given: Any, made: Any, workspace: int,
                 device: torch.device) -> None:
        self._check(entry.enqueue(self._context, self._adopt_stream(device),
                                  given, made, workspace))

    def _run_on_stand_ins(self, entry: Entry, given: Sequence[torch.Tensor],
                          made: Sequence[torch.Tensor]) -> None:
        """The same on the CUDA stand-ins, whose memory is not PyTorch's."""
        library = self._library
        buffers: List[c_void_p] = []

        def make(size: int) -> int:
            buffers.append(c_void_p())
            self._check(library.moert_buffer_create(
                self._context, size, 1, byref(buffers[-1])))
            return library.moert_buffer_data(buffers[-1])

        try:
            places = [make(t.nbytes) for t in (*given, *made)]
            workspace = make(max(entry.workspace, 1))
            inputs = (c_void_p * len(given))(*places[:len(given)])
            results = (c_void_p * len(made))(*places[len(given):])
            stream = self._adopt_stream(given[0].device)
            for tensor, place in zip(given, places):
                self._check(library.moert_copy(
                    stream, place, tensor.data_ptr(), tensor.nbytes))
            self._enqueue(entry, inputs, results, workspace, given[0].device)
            for tensor, place in zip(made, places[len(given):]):
                self._check(library.moert_copy(
                    stream, tensor.data_ptr(), place, tensor.nbytes))
            self._check(library.moert_stream_synchronize(stream, -1))
        finally:
            for buffer in buffers:
                library.moert_buffer_destroy(buffer)

    def get_counts(self) -> Dict[str, int]:
        """How many buffers, streams, events and communicators the runtime has
        made, and how often the host has waited."""
        counts = _Counts(ctypes.sizeof(_Counts))
        self._check(self._library.moert_context_counts(
            self._context, byref(counts)))
        return {name: getattr(counts, name) for name, _ in _Counts._fields_[1:]}

    def close(self) -> None:
        """Leaves the job. It does not wait for the other ranks."""
        with self._lock:
            if self._context is None:
                return
            context, self._context = self._context, None
            if self._library.moert_finalize(context, _END_US):
                raise self._error(None)


_jobs: Dict[Tuple[str, Tuple[int, ...]], Job] = {}


def get_job(backend: str, ranks: Sequence[int],
            join: Callable[[], Job]) -> Job:
    """The job of these ranks on a backend, which all ops share. `join` makes it."""
    key = (backend, tuple(ranks))
    if key not in _jobs or _jobs[key]._context is None:
        _jobs[key] = join()
    return _jobs[key]


@atexit.register
def _close_all() -> None:
    for job in _jobs.values():
        try:
            job.close()
        except Error:  # told before, by the call that failed
            pass
