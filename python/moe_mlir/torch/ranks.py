"""The mesh, the process groups, and the agreement between ranks."""

import dataclasses
import datetime
import hashlib
import itertools
import json
import re
from typing import (Any, Callable, Dict, Iterable, List, Mapping, Optional,
                    Sequence, Tuple, Union)

import torch
import torch.distributed as dist
from torch.utils._python_dispatch import _disable_current_modes

from .._library import Error

#: Default time limit for the other ranks, in seconds.
DEADLINE = 600.0


class RanksError(Error):
    """A rank did not answer in time. It may run another graph, so this rank must
    not run one."""


class DifferenceError(Error):
    """The ranks have other values. All of them raise it."""


@dataclasses.dataclass(frozen=True)
class Mesh:
    """Mesh axes and ranks, with the fastest-varying axis last."""

    axes: Tuple[str, ...]
    shape: Tuple[int, ...]
    #: PyTorch's rank at each position.
    ranks: Tuple[int, ...]

    def __str__(self) -> str:
        return ",".join(f"{axis}={size}"
                        for axis, size in zip(self.axes, self.shape))

    def get_group(self, axes: Sequence[str], rank: int) -> List[int]:
        """The positions of a rank's group along some axes, in group order."""
        place = self.ranks.index(rank)
        strides = [1] * len(self.shape)
        for i in reversed(range(len(self.shape) - 1)):
            strides[i] = strides[i + 1] * self.shape[i + 1]
        base = place
        ranges = []
        for axis in axes:
            i = self.axes.index(axis)
            base -= place // strides[i] % self.shape[i] * strides[i]
            ranges.append([n * strides[i] for n in range(self.shape[i])])
        return [base + sum(offsets) for offsets in itertools.product(*ranges)]

    def find_axes_of_equal(self, values: Mapping[int, Any]) -> List[str]:
        """The axes along which all ranks have the same value."""
        return [axis for axis in self.axes
                if all(len({values[self.ranks[place]]
                            for place in self.get_group([axis], rank)}) == 1
                       for rank in self.ranks)]


def check_mesh(given: Any) -> None:
    """Raises an `Error` for anything but None, a `DeviceMesh` with names, or a
    mapping from axes to sizes."""
    if given is None:
        return
    if isinstance(given, Mapping):
        if not given or not all(hasattr(size, "__index__") and size > 0
                                for size in given.values()):
            raise Error("mesh: expected axes with sizes of at least 1, such as "
                        f"{{'ep': 4, 'tp': 2}}, got {given!r}")
        names = list(given)
    elif not hasattr(given, "mesh_dim_names"):
        raise Error("mesh: expected a DeviceMesh, or a mapping from axes to "
                    f"sizes such as {{'ep': 4, 'tp': 2}}, got {given!r}")
    elif given.mesh_dim_names is None:
        raise Error("mesh: expected a DeviceMesh with mesh_dim_names, got "
                    f"{given}")
    else:
        names = list(given.mesh_dim_names)
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+", name):
            raise Error("mesh: expected names of axes of letters, digits, '_', "
                        f"'-' and '.', got {name!r}")


def make_mesh(given: Any, groups: Iterable[Sequence[int]]) -> Mesh:
    """Makes the mesh of a job from a `DeviceMesh` or a mapping from axes to sizes.
    If neither is given, derives the axes from the rank lists of groups."""
    world = dist.get_world_size() if dist.is_initialized() else 1
    check_mesh(given)
    if isinstance(given, Mapping):
        shape = tuple(int(size) for size in given.values())
        ranks = tuple(range(world))
        if int(torch.Size(shape).numel()) != world:
            raise Error(f"mesh: expected sizes whose product is the number of "
                        f"ranks, {world}, got {dict(given)}")
        return Mesh(tuple(given), shape, ranks)
    if given is not None:
        with _disable_current_modes():
            ranks = tuple(int(r) for r in given.mesh.flatten().tolist())
            return Mesh(tuple(given.mesh_dim_names), tuple(given.mesh.shape), ranks)
    # An axis begins at the stride of a group and ends at its extent.
    cuts = {1, world}
    for group in groups:
        stride = group[1] - group[0] if len(group) > 1 else 1
        if stride < 1 or any(b - a != stride
                             for a, b in zip(group, group[1:])):
            raise Error("cannot derive the mesh: the ranks of a group have no "
                        f"common stride, {list(group)}; pass mesh=")
        cuts |= {stride, stride * len(group)}
    ends = sorted(cuts)
    shape = tuple(b // a for a, b in zip(ends, ends[1:]))[::-1] or (1,)
    if any(b % a for a, b in zip(ends, ends[1:])):
        raise Error("cannot derive the mesh: the groups of the graph are not "
                    "along axes of one mesh; pass mesh=")
    return Mesh(tuple(f"axis{i}" for i in range(len(shape))), shape,
                tuple(range(world)))


class Groups:
    """Maps process groups to mesh axes, and rank lists to process groups."""

    def __init__(self, mesh: Mesh, rank: int):
        self.mesh = mesh
        self.rank = rank
        # Group names by their ranks, in group order.
        self._names: Dict[Tuple[int, ...], str] = {}

    def add(self, name: str) -> str:
        """The name of a group in the text: its axes, such as `ep+tp`."""
        ranks = get_group_ranks(name)
        self._names.setdefault(tuple(ranks), name)
        if not set(ranks) <= set(self.mesh.ranks):
            raise Error(f"expected groups of ranks of the mesh ({self.mesh}), "
                        f"got one of {ranks}")
        places = [self.mesh.ranks.index(r) for r in ranks]
        axes = self.mesh.axes
        for count in range(1, len(axes) + 1):
            for some in itertools.combinations(axes, count):
                if self.mesh.get_group(some, self.rank) == places:
                    return "+".join(some)
        raise Error(f"expected groups along axes of the mesh ({self.mesh}), got "
                    f"one of ranks {ranks}")

    def get_known(self) -> Dict[Tuple[int, ...], str]:
        """The names of groups by their ranks."""
        return dict(self._names)

    def adopt(self, known: Mapping[Tuple[int, ...], str]) -> None:
        """Uses groups that exist instead of creating them."""
        for ranks, name in known.items():
            self._names.setdefault(ranks, name)

    def find(self, text: str,
             preferred: Optional[str] = None) -> Tuple[str, List[int]]:
        """The name and the positions of this rank's group in lists of positions,
        such as `[[0,1],[2,3]]`. If several groups have these ranks, returns the
        `preferred` one: jobs make a second group for a second stream. Creates a
        missing group; all ranks must do so in the same order."""
        if not re.fullmatch(r"\[(\[\d+(,\d+)*\],?)+\]", text):
            raise Error(f"expected lists of ranks as a group, got {text!r}")
        lists = json.loads(text)
        place = self.mesh.ranks.index(self.rank)
        mine = next((one for one in lists if place in one), None)
        if mine is None or max(mine) >= len(self.mesh.ranks):
            raise Error(f"expected a group of each of {len(self.mesh.ranks)} "
                        f"ranks, got {text}")
        ranks = tuple(self.mesh.ranks[p] for p in mine)
        if preferred is not None and tuple(
                get_group_ranks(preferred)) == ranks:
            return preferred, mine
        if ranks not in self._names:
            with _disable_current_modes():
                group = dist.new_group(list(ranks),
                                       use_local_synchronization=True)
            self._names[ranks] = group.group_name
        return self._names[ranks], mine


def get_group_ranks(name: str) -> List[int]:
    """The ranks of a process group, in group order."""
    try:
        group = dist.distributed_c10d._resolve_process_group(name)
    except (RuntimeError, ValueError, KeyError) as error:
        raise Error(f"expected a process group '{name}' of this process, as the "
                    f"graph names it: {error}") from error
    return dist.get_process_group_ranks(group)


def is_alone() -> bool:
    """Whether there are no other processes, or only fake ones."""
    return (not dist.is_available() or not dist.is_initialized()
            or dist.get_world_size() == 1 or dist.get_backend() == "fake")


class Agreement:
    """Compares values between the ranks of a mesh through the job's store. It
    uses no collective, because a rank that fails would change their order."""

    _rounds: Dict[str, int] = {}

    def __init__(self, ranks: Sequence[int], rank: int,
                 deadline: float = DEADLINE,
                 doing: str = "compile this graph"):
        self._ranks = list(ranks)
        self._rank = rank
        self._deadline = deadline
        self._doing = doing
        digest = hashlib.sha256(str(sorted(ranks)).encode()).hexdigest()[:16]
        self._prefix = f"moe_mlir/{digest}"

    def exchange(self, value: str) -> Dict[int, str]:
        """Publishes a value and returns the values of all ranks."""
        if is_alone():
            return {self._rank: value}
        number = self._rounds[self._prefix] = (
            self._rounds.get(self._prefix, 0) + 1)
        store = dist.distributed_c10d._get_default_store()
        key = f"{self._prefix}/{number}"
        store.set(f"{key}/{self._rank}", value)
        keys = {rank: f"{key}/{rank}" for rank in self._ranks}
        try:
            store.wait(list(keys.values()),
                       datetime.timedelta(seconds=self._deadline))
        except RuntimeError as error:
            missing = [rank for rank, name in keys.items()
                       if not store.check([name])]
            raise RanksError(
                f"{name_ranks(missing)} did not {self._doing} within "
                f"{self._deadline:g} seconds. All ranks must compile the same "
                "graphs and layers in the same order; a rank that recompiles alone, for "
                "example for another batch size, stops here. If the ranks only "
                "need more time, raise deadline=") from error
        return {rank: store.get(name).decode() for rank, name in keys.items()}

    def meet(self, function: str) -> None:
        """Raises a `RanksError` if a rank compiles another function: it has compiled
        alone, or runs another program, and the collectives of its graphs may differ
        from what the other ranks run."""
        groups = _group_equal(said := self.exchange(f"function {function}"))
        if len(groups) > 1:
            names = [said[ranks[0]].removeprefix("function ") for ranks in groups[:2]]
            raise RanksError(
                f"expected all ranks to compile the same function, got {names[0]} on "
                f"{name_ranks(groups[0])} and {names[1]} on {name_ranks(groups[1])}. "
                "All ranks must compile the same graphs in the same order; a rank that "
                "recompiles alone, for example for another batch size, stops here")

    def check(self, make: Callable[[], Tuple[str, Any]], what: str) -> Any:
        """Calls `make`, which returns a text and a value, on all ranks. Raises an
        `Error` on all ranks if it failed on one, or if the texts differ."""
        try:
            text, made = make()
            said = "made " + hashlib.sha256(text.encode()).hexdigest()
        except RanksError:
            raise
        except Exception as error:  # the other ranks wait for an answer
            said, made, mine = f"failed {error}", None, error
        else:
            mine = None
        said_by = self.exchange(said)
        if mine is not None:
            raise mine
        for rank, answer in sorted(said_by.items()):
            if answer.startswith("failed "):
                raise Error(f"rank {rank}: {answer[len('failed '):]}")
        groups = _group_equal(said_by)
        if len(groups) > 1:
            have = [f"one on {name_ranks(groups[0])}",
                    f"another on {name_ranks(groups[1])}"]
            rest = list(itertools.chain(*groups[2:]))
            have += [f"others on {name_ranks(rest)}"] if rest else []
            raise DifferenceError(
                f"expected {what} to be equal on all ranks, got "
                + " and ".join(have)
                + self._compare(text, groups[0][0], groups[1][0]))
        return made

    def tell(self, problem: Optional[Exception]) -> Optional[Exception]:
        """Tells the other ranks of an error, or that there was none. Returns this
        rank's error, or an `Error` with the error of another rank."""
        def give() -> Tuple[str, None]:
            if problem is not None:
                raise problem
            return "", None
        try:
            self.check(give, "the graph")
        except RanksError:
            raise
        except Exception as error:
            return error
        return None

    def _compare(self, text: str, usual: int, other: int) -> str:
        """Describes the first difference between the texts of two ranks. All ranks
        call it, but only these two read a text, which may be long."""
        store = dist.distributed_c10d._get_default_store()
        key = f"{self._prefix}/{self._rounds[self._prefix]}"
        limit = datetime.timedelta(seconds=self._deadline)
        try:
            if self._rank == usual:
                store.set(f"{key}/text", text)
            elif self._rank == other:
                store.wait([f"{key}/text"], limit)
                theirs = store.get(f"{key}/text").decode()
                store.set(f"{key}/difference", _find_difference(
                    usual, theirs, other, text))
            store.wait([f"{key}/difference"], limit)
        except RuntimeError:
            return ""  # A rank has left; the groups of ranks are known.
        return store.get(f"{key}/difference").decode()


def _group_equal(values: Mapping[int, str]) -> List[List[int]]:
    """The ranks with equal values, the largest group first."""
    groups: Dict[str, List[int]] = {}
    for rank, value in sorted(values.items()):
        groups.setdefault(value, []).append(rank)
    return sorted(groups.values(), key=lambda group: (-len(group), group))


def name_ranks(ranks: Iterable[int]) -> str:
    """`rank 3` or `ranks 0-2, 5`."""
    runs: List[List[int]] = []
    for rank in sorted(ranks):
        if runs and rank == runs[-1][-1] + 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    is_one = len(runs) == 1 and len(runs[0]) == 1
    return ("rank " if is_one else "ranks ") + ", ".join(
        str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _find_difference(rank: int, text: str, other: int, other_text: str) -> str:
    for mine, line in itertools.zip_longest(
            text.split("\n"), other_text.split("\n"), fillvalue="nothing more"):
        if mine != line:
            return (f". Rank {rank} has\n{mine.strip()[:500]}\n"
                    f"rank {other} has\n{line.strip()[:500]}")
    return ""


def make_agreement(mesh: Any, deadline: float) -> Agreement:
    """The agreement of the ranks of a `DeviceMesh`, otherwise of all ranks."""
    everyone = (list(range(dist.get_world_size() if dist.is_initialized() else 1))
                if mesh is None or isinstance(mesh, Mapping)
                else list(make_mesh(mesh, []).ranks))
    return Agreement(everyone, dist.get_rank() if dist.is_initialized() else 0,
                     deadline)


def find_rank_numbers(agreement: Agreement,
                      numbers: Sequence[Union[int, float]]
                      ) -> Dict[int, Dict[int, str]]:
    """The numbers of equal graphs that differ between ranks: their indices, each
    with the number on each rank."""
    mine = json.dumps([repr(number) for number in numbers])
    digest = hashlib.sha256(mine.encode()).hexdigest()
    if len(set(agreement.exchange(digest).values())) == 1:
        return {}
    lists = {rank: json.loads(text)
             for rank, text in agreement.exchange(mine).items()}
    if len(set(map(len, lists.values()))) > 1:
        # Each place would have the number of another one on some rank.
        raise DifferenceError(
            "expected graphs with the same number of constants on all ranks, got "
            + ", ".join(f"{len(have)} on rank {rank}"
                        for rank, have in sorted(lists.items())))
    return {place: dict(zip(lists, values))
            for place, values in enumerate(zip(*lists.values()))
            if len(set(values)) > 1}
