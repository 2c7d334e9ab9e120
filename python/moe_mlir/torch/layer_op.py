"""A compiled MoE layer as an operator of PyTorch.

The program has two functions: the forward pass, which also returns the inputs of
the backward pass, and the backward pass. Each becomes a custom op of its own, and
PyTorch's autograd joins them.
"""

import dataclasses
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
    """Which argument each gradient is of. The gradient of `X` is named `dX`."""
    places = {("d" + one.name, one.shape): place
              for place, one in enumerate(program) if one.name}
    for one in gradients:
        if (one.name, one.shape) not in places:
            raise Error(f"{_WHO}: expected each result of the backward pass to be "
                        f"the gradient of an argument and named after it (dtokens), "
                        f"got {one}, while the arguments are "
                        f"{', '.join(map(str, program))}")
    return [places[one.name, one.shape] for one in gradients]


def _is_of_parameter(gradient: Tensor) -> bool:
    return gradient.name not in ("dtokens", "dweights")


def _check_wide(gradient: Tensor) -> None:
    """Raises an `Error` for a gradient that is rounded before it is added to an
    f32 tensor."""
    if gradient.element not in ("f32", "f64"):
        raise Error(f"{_WHO}: main_gradients: expected f32 gradients of parameters, "
                    f"got {gradient}. moe-widen-gradients leaves gradients that "
                    "other ops than sums over ranks read; its remark names the op")


def _check_ids(ids: torch.Tensor, low: int, high: int) -> None:
    """Raises an `Error` unless the experts of each token are distinct and in
    [low, high]. On GPUs the check is work of the stream, since the host does not
    wait, and fails there."""
    ordered = ids.sort(dim=1).values
    wrong = ((ids < low) | (ids > high)).any(dim=1) | (
        ordered[:, 1:] == ordered[:, :-1]).any(dim=1)
    expected = (f"{_WHO}: ids: expected distinct experts from {low} to {high} for "
                "each token")
    if ids.is_cuda:
        torch._assert_async(~wrong.any(), expected)
    elif wrong.any():
        token = int(wrong.nonzero()[0])
        raise Error(f"{expected}, got {ids[token].tolist()} for token {token}")


class _Function:
    """One function of the program as a custom op. Behind the program's arguments it
    takes `mains`, f32 tensors. If `added` lists as many results, it adds them to
    these tensors instead of returning them."""

    def __init__(self, name: str, program: Program, entry: Entry, job: Job,
                 mains: Sequence[Tensor] = (), added: Sequence[int] = ()):
        self.arguments = program.arguments
        self.results = program.results
        self._mains, self._added = list(mains), list(added)
        for one in (*self.arguments, *self.results):
            if one.element not in _DTYPES:
                raise Error(f"{_WHO}: expected elements that PyTorch has "
                            f"({', '.join(_DTYPES)}), got {one}")
        #: The argument with the experts of each token, if the gate is outside.
        self._ids = next((i for i, one in enumerate(self.arguments)
                          if one.name == "ids" and one.range), None)
        self._name = name
        self._entry = entry
        self._job = job
        mutated = [f"main{i}" for i in range(len(self._mains))] if added else []
        given = [*(f"Tensor a{i}" for i in range(len(self.arguments))),
                 *(f"Tensor({m}!) {m}" for m in mutated)]
        given += [f"Tensor main{i}" for i in range(len(mains) - len(mutated))]
        made = ["Tensor"] * (len(self.results) - len(self._added))
        self.op = torch.library.custom_op(
            f"moe_mlir::{name}", self._run, mutates_args=mutated,
            schema=f"({', '.join(given)}) -> ({', '.join(made)})")
        self.op.register_fake(self._make_results)

    def _make_results(self, *given: torch.Tensor) -> Any:
        for i, (have, want) in enumerate(zip(given,
                                             self.arguments + self._mains)):
            dtype = _DTYPES[want.element]
            if tuple(have.shape) != want.shape or have.dtype != dtype:
                raise Error(f"{_WHO}: {want.name or f'argument {i}'} of "
                            f"{self._name}: expected {dtype} of "
                            f"{list(want.shape)}, got {have.dtype} of "
                            f"{list(have.shape)}")
        made = tuple(self._make(one, given[0])
                     for i, one in enumerate(self.results)
                     if i not in self._added)
        return made if len(made) > 1 else made[0]

    @staticmethod
    def _make(one: Tensor, like: torch.Tensor) -> torch.Tensor:
        # Rows that no rank sends to are not written.
        return like.new_zeros(one.shape, dtype=_DTYPES[one.element])

    def _run(self, *given: torch.Tensor) -> Any:
        made = self._make_results(*given)
        if self._ids is not None:
            _check_ids(given[self._ids], *self.arguments[self._ids].range)
        results = list(made) if isinstance(made, tuple) else [made]
        for place in sorted(self._added):
            results.insert(place, self._make(self.results[place], given[0]))
        count = len(self.arguments)
        self._job.run(self._entry, [one.contiguous() for one in given[:count]],
                      results)
        for main, place in zip(given[count:], self._added):
            main.add_(results[place])
        return made


class LayerOp:
    """A compiled layer: a differentiable function of the tokens and the parameters
    of this rank, in the program's order. With the gate outside, the experts of each
    token and their weights, `ids` and `weights` [tokens, k], come after the tokens.
    All ranks call it in the same order.

    `arguments` are the names and types of the arguments, `result` is the type of
    the result, and `saved` the values kept for the backward pass.
    `main_gradients` are the f32 tensors that the backward pass adds gradients to,
    if the op has this option. They are passed by name in each call."""

    def __init__(self, forward: _Function, backward: _Function, job: Job,
                 mains: Sequence[Tensor] = ()):
        self.arguments = forward.arguments
        self.result = forward.results[0]
        self.saved = forward.results[1:]
        self.main_gradients = list(mains)
        self.forward_op, self.backward_op = forward.op, backward.op
        self._forward = forward.op._opoverload
        self._job = job
        unnamed = [one for one in (*self.arguments, *forward.results,
                                   *backward.arguments) if not one.name]
        if unnamed:
            raise Error(f"{_WHO}: expected arguments and results with names "
                        f"(moe.name), got {unnamed[0]}; import the layer again")
        given = backward.arguments
        wanted = [*self.arguments, *self.saved,
                  dataclasses.replace(self.result, name="d" + self.result.name)]
        if ([dataclasses.replace(one, range=None) for one in given]
                != [dataclasses.replace(one, range=None) for one in wanted]):
            raise Error(f"{_WHO}: expected a backward pass of the arguments "
                        f"{', '.join(map(str, wanted))}, got "
                        f"{', '.join(map(str, given))}")
        if any(one.name == "ids" and not one.range for one in self.arguments):
            raise Error(f"{_WHO}: expected a program that states which ids are "
                        "valid, got one whose passes have hidden the op that reads "
                        "them; leave such passes out of pipeline=")
        places = [place for place, one in zip(
            _match_gradients(self.arguments, backward.results), backward.results)
            if not mains or not _is_of_parameter(one)]
        count = len(self.arguments)
        back, result = backward.op._opoverload, self.result

        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(*inputs[:count], *output[1:])
            # Saved tensors must not change, and several layers or micro-batches
            # add to these before their own backward pass.
            ctx.mains = inputs[count:]

        def take_gradients(ctx: Any, gradient: Any, *_: Any) -> Any:
            saved = ctx.saved_tensors
            if gradient is None:
                # The other ranks run the backward pass, so this one does, too.
                gradient = saved[0].new_zeros(result.shape)
            made: List[Any] = [None] * (count + len(mains))
            results = back(*saved, gradient, *ctx.mains)
            for place, one in zip(places, results if len(places) > 1
                                  else [results]):
                made[place] = one
            return tuple(made)

        forward.op.register_autograd(take_gradients,
                                     setup_context=setup_context)

    def __call__(self, *arguments: torch.Tensor,
                 main_gradients: Sequence[torch.Tensor] = ()) -> torch.Tensor:
        if len(arguments) != len(self.arguments):
            names = ", ".join(one.name for one in self.arguments)
            raise Error(f"{_WHO}: expected {len(self.arguments)} arguments "
                        f"({names}), got {len(arguments)}")
        if len(main_gradients) != len(self.main_gradients):
            names = ", ".join(one.name for one in self.main_gradients)
            raise Error(f"{_WHO}: expected {len(self.main_gradients)} main gradients"
                        f"{f' ({names})' if names else ''}, got "
                        f"{len(main_gradients)}; "
                        "layer_op(..., main_gradients=True) makes an op that adds "
                        "to them")
        return self._forward(*arguments, *main_gradients)[0]

    def get_counts(self) -> Dict[str, int]:
        """Counts the objects that the runtime has created for all ops of these
        ranks: `buffers`, `streams`, `events`, `communicators` and `host_waits`."""
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
             main_gradients: bool = False,
             compiler: Optional[str] = None) -> LayerOp:
    """Compiles a layer and returns it as a differentiable function.

    `program` is a module of `moe_mlir.import_config(..., layer=True)`, or its text,
    with a function and its `_backward`. With `gate="outside"`, the layer has no
    router: it takes the experts of each token and their weights, and returns the
    gradient of the weights to PyTorch's autograd. `pipeline` names passes to run first,
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

    With `main_gradients`, the op takes an f32 tensor for each parameter that has a
    gradient, and its backward pass adds the gradient to this tensor, without
    rounding it to the type of the parameter, instead of returning it. PyTorch's
    autograd gets no gradients of parameters.

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
        # Copy the caller's module, which must not change.
        compiled = parse(text)
        if main_gradients:
            compiled.compile("moe-widen-gradients")
        if pipeline:
            compiled.compile(pipeline)
        made = [Program(_WHO, str(compiled), name, backend)
                for name in (found[1], f"{found[1]}_backward")]
        if made[0].ranks != len(ranks):
            raise Error(f"{_WHO}: expected {made[0].ranks} ranks, got "
                        f"{len(ranks)}")
        return str(compiled) + made[0].header + made[1].header, made

    programs = agreement.check(compile_both, "the compiled layer")
    job = get_job(backend, ranks, lambda: Job(
        _WHO, backend, ranks, rank, deadline, compiler))
    for group in adopt:
        job.adopt(*get_communicator(group))
    digest = hashlib.sha256(b"".join(
        one.header.encode() + one.object for one in programs)).hexdigest()[:12]
    # The same layer of other ranks is another op.
    number = _numbers[digest] = _numbers.get(digest, 0) + 1
    added = [i for i, one in enumerate(programs[1].results)
             if main_gradients and _is_of_parameter(one)]
    for i in added:
        _check_wide(programs[1].results[i])
    mains = [dataclasses.replace(
        programs[1].results[i], element="f32",
        name="main gradient of " + programs[1].results[i].name[1:]) for i in added]
    functions = [
        _Function(f"{one.name.removeprefix('moe_')}_{digest}_{number}", one,
                  Entry(load_program(_WHO, one, compiler), one.name), job, mains,
                  added if one is programs[1] else ())
        for one in programs]
    return LayerOp(*functions, job, mains)


def get_communicator(group: Any) -> Tuple[List[int], int]:
    """The ranks of a process group of NCCL, and its ncclComm_t."""
    device = torch.device("cuda", torch.cuda.current_device())
    return (get_group_ranks(group.group_name),
            group._get_backend(device)._comm_ptr())
