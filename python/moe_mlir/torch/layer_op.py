"""A compiled MoE layer as an operator of PyTorch.

The program has two functions: the forward pass, which also returns what the
backward pass needs, and the backward pass. Each becomes a custom op of its own, and
PyTorch's autograd joins them.
"""

import hashlib
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import torch
import torch.distributed as dist

from .._library import Error
from ..modules import Module, parse
from ..programs import Program, Tensor, get_mesh, load_program
from .ranks import DEADLINE, Agreement, get_group_ranks, make_mesh
from .runtime import Entry, Job, get_job

_WHO = "layer_op"
_DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
           "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
           "i16": torch.int16, "i8": torch.int8}


def _find_ranks(axes: Sequence[Tuple[str, int]], mesh: Any) -> List[int]:
    """PyTorch's ranks in the order of the program's, of those that this rank is
    in one job with."""
    rank = dist.get_rank() if dist.is_initialized() else 0
    axes = [(axis, size) for axis, size in axes if size > 1]
    if mesh is None:
        mesh = dict(axes) or {"ep": 1}
    found = make_mesh(mesh, [])
    sizes = dict(zip(found.axes, found.shape))
    for axis, size in axes:
        if sizes.get(axis) != size:
            raise Error(f"{_WHO}: expected a mesh with the program's axes "
                        f"({', '.join(f'{a}={n}' for a, n in axes)}), got "
                        f"({found})")
    return [found.ranks[place] for place in
            found.get_group([axis for axis, _ in axes], rank)]


def _match_gradients(program: Sequence[Tensor],
                     gradients: Sequence[Tensor]) -> List[int]:
    """Which argument each gradient is of: they come in the arguments' order, and
    some arguments have none."""
    places: List[int] = []
    at = 0
    for gradient in gradients:
        while at < len(program) and program[at] != gradient:
            at += 1
        if at == len(program):
            raise Error(f"{_WHO}: expected each result of the backward pass to be "
                        f"the gradient of an argument, got {gradient}, while the "
                        f"arguments are {', '.join(map(str, program))}")
        places.append(at)
        at += 1
    return places


class _Function:
    """One function of the program as a custom op."""

    def __init__(self, name: str, program: Program, entry: Entry, job: Job):
        self.arguments = program.arguments
        self.results = program.results
        for one in (*self.arguments, *self.results):
            if one.element not in _DTYPES:
                raise Error(f"{_WHO}: expected elements that PyTorch has "
                            f"({', '.join(_DTYPES)}), got {one}")
        self._name = name
        self._entry = entry
        self._job = job
        schema = (f"({', '.join(f'Tensor a{i}' for i in range(len(self.arguments)))}"
                  f") -> ({', '.join('Tensor' for _ in self.results)})")
        self.op = torch.library.custom_op(
            f"moe_mlir::{name}", self._run, mutates_args=(), schema=schema)
        self.op.register_fake(self._make_results)

    def _make_results(self, *given: torch.Tensor) -> Any:
        for i, (have, want) in enumerate(zip(given, self.arguments)):
            dtype = _DTYPES[want.element]
            if tuple(have.shape) != want.shape or have.dtype != dtype:
                raise Error(f"{_WHO}: argument {i} of {self._name}: expected "
                            f"{dtype} of {list(want.shape)}, got {have.dtype} of "
                            f"{list(have.shape)}")
        # Rows that no rank sends to are not written.
        made = tuple(given[0].new_zeros(one.shape, dtype=_DTYPES[one.element])
                     for one in self.results)
        return made if len(made) > 1 else made[0]

    def _run(self, *given: torch.Tensor) -> Any:
        made = self._make_results(*given)
        self._job.run(self._entry, [one.contiguous() for one in given],
                      made if isinstance(made, tuple) else (made,))
        return made


class LayerOp:
    """A compiled layer: a differentiable function of the tokens and the parameters
    of this rank, in the program's order. All ranks call it in the same order.

    `arguments` are the types of the tokens and parameters, `result` is the type of
    the result, and `saved` what the forward pass keeps for the backward pass."""

    def __init__(self, forward: _Function, backward: _Function, job: Job):
        self.arguments = forward.arguments
        self.result = forward.results[0]
        self.saved = forward.results[1:]
        self.forward_op, self.backward_op = forward.op, backward.op
        self._forward = forward.op._opoverload
        self._job = job
        given = backward.arguments
        wanted = [*self.arguments, *self.saved, self.result]
        if given != wanted:
            raise Error(f"{_WHO}: expected a backward pass of the arguments "
                        f"{', '.join(map(str, wanted))}, got "
                        f"{', '.join(map(str, given))}")
        places = _match_gradients(self.arguments, backward.results)
        count = len(self.arguments)
        back, result = backward.op._opoverload, self.result

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(*inputs, *output[1:])

        def take_gradients(ctx: Any, gradient: Any, *_: Any) -> Any:
            saved = ctx.saved_tensors
            if gradient is None:
                # The other ranks run the backward pass, so this one does, too.
                gradient = saved[0].new_zeros(result.shape)
            made: List[Any] = [None] * count
            for place, one in zip(places, back(*saved, gradient)):
                made[place] = one
            return tuple(made)

        forward.op.register_autograd(take_gradients,
                                     setup_context=setup_context)

    def __call__(self, *arguments: torch.Tensor) -> torch.Tensor:
        if len(arguments) != len(self.arguments):
            raise Error(f"{_WHO}: expected {len(self.arguments)} arguments, the "
                        f"tokens and the parameters, got {len(arguments)}")
        return self._forward(*arguments)[0]

    def get_counts(self) -> Dict[str, int]:
        """What the runtime has made for all ops of these ranks so far: `buffers`,
        `streams`, `events`, `communicators`, and `host_waits`."""
        return self._job.get_counts()

    def close(self) -> None:
        """Leaves the job of these ranks, which ends all ops that share it."""
        self._job.close()


def _choose_backend(mesh: Any) -> str:
    device = getattr(mesh, "device_type", None)
    if device is None and dist.is_initialized():
        device = "cuda" if dist.get_backend() == "nccl" else "cpu"
    return "nccl" if device == "cuda" else "host"


_numbers: Dict[str, int] = {}


def layer_op(program: Union[Module, str], *, mesh: Any = None,
             pipeline: Optional[str] = None, backend: Optional[str] = None,
             deadline: float = DEADLINE, adopt: Sequence[Any] = (),
             compiler: Optional[str] = None) -> LayerOp:
    """Compiles a layer and returns it as a differentiable function.

    `program` is a module of `moe_mlir.import_config(..., layer=True)`, or its text,
    with a function and its `_backward`. `pipeline` names passes to run first,
    for example `moe-compile{to=schedule platform=dgx-h100}`.

    `mesh` is the job's `DeviceMesh`, or a mapping from axes to sizes. It must have
    the program's axes; ranks that differ along other axes run the layer apart. By
    default all ranks of the job are the program's, in its order.

    The gradients of parameters are summed over the program's ranks that share
    them, so they must not be reduced over its axes again.

    `backend` is `host`, for CPU tensors of the processes of one machine, or `nccl`;
    by default, the mesh's devices decide. On `nccl` the op runs on PyTorch's
    current stream and has communicators of its own. For each process group in
    `adopt`, whose ranks are a group of the program, it uses the communicator of the
    process group instead; no other code may use it at the same time.
    `nccl-stand-ins` is for tests.

    All ranks call it in the same order. A rank that does not come within `deadline`
    seconds is an `Error` on the others. Needs a C++ compiler as a linker, $CXX or
    the system's."""
    text = str(program)
    found = re.search(r"func\.func @(\w+)_backward\(", text)
    if not found:
        raise Error(f"{_WHO}: expected a program with a forward and a backward "
                    "function, as import_config(..., layer=True) makes it, got one "
                    "without @NAME_backward")
    backend = backend or _choose_backend(mesh)
    if backend not in ("host", "nccl", "nccl-stand-ins"):
        raise Error(f"{_WHO}: backend: expected host or nccl, got '{backend}'")
    if dist.is_initialized() and dist.get_backend() == "fake":
        raise Error(f"{_WHO}: expected ranks that are processes, got a process "
                    "group of the backend 'fake'")
    if adopt and backend == "host":
        raise Error(f"{_WHO}: adopt: expected the backend nccl, got 'host'")
    ranks = _find_ranks(get_mesh(text), mesh)
    rank = dist.get_rank() if dist.is_initialized() else 0
    agreement = Agreement(ranks, rank, deadline, "compile this layer")

    def compile_both() -> Tuple[str, List[Program]]:
        # A copy, as the caller's module stays what it is.
        compiled = parse(text)
        if pipeline:
            compiled.compile(pipeline)
        made = [Program(_WHO, str(compiled), name, backend)
                for name in (found[1], f"{found[1]}_backward")]
        if made[0].ranks != len(ranks):
            raise Error(f"{_WHO}: expected {made[0].ranks} ranks, got "
                        f"{len(ranks)}")
        return str(compiled) + made[0].header + made[1].header, made

    programs = agreement.check(compile_both, "what moe_mlir compiles")
    job = get_job(backend, ranks, lambda: Job(
        _WHO, backend, ranks, rank, deadline, compiler))
    for group in adopt:
        job.adopt(*get_communicator(group))
    digest = hashlib.sha256(b"".join(
        one.header.encode() + one.object for one in programs)).hexdigest()[:12]
    # The same layer of other ranks is another op.
    number = _numbers[digest] = _numbers.get(digest, 0) + 1
    functions = [
        _Function(f"{one.name.removeprefix('moe_')}_{digest}_{number}", one,
                  Entry(load_program(_WHO, one, compiler), one.name), job)
        for one in programs]
    return LayerOp(*functions, job)


def get_communicator(group: Any) -> Tuple[List[int], int]:
    """The ranks of a process group of NCCL, and its ncclComm_t."""
    device = torch.device("cuda", torch.cuda.current_device())
    return (get_group_ranks(group.group_name),
            group._get_backend(device)._comm_ptr())
