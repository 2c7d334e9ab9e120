"""`rewrite`: rewrites the communication of an FX graph on all ranks."""

import dataclasses
import re
from types import MappingProxyType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import torch
import torch.distributed as dist
from torch import fx

from .._library import Error
from ..rewriting import (Explanation, FunctionPlan, Pipeline, Remark,
                         count_collectives, describe_exchange, get_passes,
                         needs_layers, run_tool)
from . import parse
from .functional import functionalize
from .graph import Decompositions, apply, find_groups
from .ranks import (DEADLINE, Agreement, DifferenceError, Groups, Mesh, RanksError,
                    find_rank_numbers, get_group_ranks, make_agreement, make_mesh)
from .text import (Program, emit, get_group, is_collective, is_known,
                   writes_memory)

_DIALECT = "torch._c10d_functional."


@dataclasses.dataclass(frozen=True)
class Facts:
    """Facts about a graph that it does not contain."""

    #: A `DeviceMesh`, or a mapping from axes to sizes with the fastest-varying
    #: axis last. By default, the axes are derived from the groups of the graph.
    mesh: Any = None
    #: Maps mesh axes to the placeholders that are equal on all ranks along the
    #: axis. A wrong entry gives wrong results.
    replicated: Mapping[str, Sequence[str]] = dataclasses.field(
        default_factory=dict)


@dataclasses.dataclass
class Rewritten:
    """The graph before and after, the texts and the remarks."""

    graph: fx.GraphModule
    program: Program
    after: str
    remarks: List[Remark]
    before: fx.GraphModule
    #: The kind of the graph (`Versions`), and whether the ranks knew it.
    kind: Optional[str] = None
    is_known: bool = False

    def explain(self) -> Explanation:
        return Explanation(self.program.text, self.after,
                           count_collectives(self.program.text, _DIALECT),
                           count_collectives(self.after, _DIALECT),
                           list(map(str, self.remarks)))

    def plan(self) -> FunctionPlan:
        after: Dict[str, List[Any]] = {}
        function = parse.parse(self.after)
        strings = {op.results[0]: op.attributes.get("value")
                   for op in function.ops if op.name == "torch.constant.str"}
        for op in function.ops:
            if op.name == _DIALECT + "all_to_all_single":
                node = op.attributes.get("fx.from",
                                         op.attributes.get("fx.node"))
                group = strings.get(op.operands[-1], "")
                after.setdefault(node, []).append((group, _count(op.types[0])))
        lines = {node: line for line, node in self.program.lines.items()}
        names = {node: name for name, node in self.program.nodes.items()}
        made = []
        exchanges = [node for node in self.before.graph.nodes
                     if node in lines and is_collective(node)
                     and "all_to_all_single" in node.target._schema.name]
        for number, node in enumerate(exchanges):
            value = node.args[0].meta["val"]
            why = [said for said in self.remarks
                   if said.line == lines[node]]
            custom = node.meta.get("custom") or {}
            before = _count_value(value)
            later = after.get(names[node], [])
            if before is None or any(count is None for _, count in later):
                before, later = 0, [(group, 0) for group, _ in later]
            made.append(describe_exchange(
                number, _get_kind(node), custom.get("moe_layer"),
                [s if isinstance(s, int) else -1 for s in value.shape],
                get_group(node) or "", before, later, why))
        known = {lines[node] for node in exchanges}
        return FunctionPlan(made, [str(said) for said in self.remarks
                                   if said.line not in known])


_BITS = re.compile(r"\d+")


def _get_kind(node: fx.Node) -> str:
    """Whether the split sizes of an exchange are computed."""
    splits = [split for sizes in node.args[1:3]
              if isinstance(sizes, (list, tuple)) for split in sizes]
    return ("ragged_all_to_all" if any(isinstance(split, fx.Node)
                                       for split in splits) else "all_to_all")


def _find_uneven_splits(collectives: Sequence[fx.Node]) -> Optional[str]:
    """The reason why ranks have tensors of different sizes: an exchange with
    constant split sizes that are not equal."""
    for node in collectives:
        splits = [list(sizes) for sizes in node.args[1:3]
                  if isinstance(sizes, (list, tuple))]
        if any(all(isinstance(split, int) for split in sizes)
               and len(set(sizes)) > 1 for sizes in splits):
            return ("constant split sizes are not supported with tensors whose "
                    f"sizes differ between ranks: {node.name} receives and sends "
                    f"{', '.join(map(str, splits))} rows on this rank. Compute "
                    "the sizes in the function, as in counts.tolist(), so that "
                    "they become symbols")
    return None


def _count(type_: str) -> Optional[int]:
    """Bytes of a tensor; None if a size is unknown."""
    shape = parse.get_shape(type_)
    if shape is None or None in shape:
        return None
    bits = _BITS.search(type_.split("x")[-1])
    count = int(bits[0]) // 8 if bits else 1
    for size in shape:
        count *= size
    return count


def _count_value(value: torch.Tensor) -> Optional[int]:
    if not all(isinstance(size, int) for size in value.shape):
        return None
    return value.numel() * value.element_size()


def _state_facts(program: Program, mesh: Mesh, facts: Facts,
                 differing: Mapping[int, Mapping[int, str]]) -> str:
    """The option `varying`: the axes over which each argument differs. The ranks
    have compared their `differing` numbers, so these need no entry in `facts`."""
    names = {node.name: i for i, node in enumerate(program.arguments)
             if node is not None}
    same: Dict[int, List[str]] = {}
    for axis, given in facts.replicated.items():
        if axis not in mesh.axes:
            raise Error(f"replicated: expected axes of the mesh "
                        f"({', '.join(mesh.axes)}), got '{axis}'")
        for name in given:
            if name not in names:
                raise Error(f"replicated: expected inputs of the graph "
                            f"({', '.join(names)}), got '{name}'")
            same.setdefault(names[name], []).append(axis)
    numbers = (i for i, node in enumerate(program.arguments) if node is None)
    for i, values in zip(numbers, differing.values()):
        same[i] = mesh.find_axes_of_equal(values)
    return ",".join(
        f"{i}=" + "+".join(axis for axis in mesh.axes if axis not in axes)
        for i, axes in sorted(same.items()))


#: Passes that keep the order of ops.
_KEEP_ORDER = ("moe-load-platform", "moe-decompose-all-to-all",
               "moe-rewrite-collectives", "moe-hierarchical-all-reduce",
               "moe-split-mesh-axis", "moe-make-collectives-contiguous",
               "moe-print-")


def check_in_place(gm: fx.GraphModule, passes: Sequence[str]) -> None:
    """Raises an `Error` if passes reorder ops in a graph with ops in place: the
    text has no dependency between a write and other readers of the tensor."""
    written = False
    found = None
    for node in gm.graph.nodes:
        # AOTAutograd's graphs end with copies into inputs.
        if writes_memory(node):
            if node.target is not torch.ops.aten.copy_.default \
                    or node.args[0].op != "placeholder":
                found = found or node
            written = True
        elif written and node.op == "call_function" and found is None:
            found = node
    reordering = [p for p in passes if not p.startswith(_KEEP_ORDER)]
    if found is not None and reordering:
        raise Error(f"{reordering[0]} is not supported with ops in place, such "
                    f"as {found.format_node()}; functionalize the graph first "
                    "(AOTAutograd's graphs are functional)")


@dataclasses.dataclass(frozen=True)
class _Version:
    """What all ranks run for one kind of graph of a function."""

    #: The numbers that differ between ranks.
    differing: Mapping[int, Mapping[int, str]]
    #: The collectives after the passes.
    collectives: str
    groups: Mapping[Tuple[int, ...], str]


class Versions:
    """The graphs of a function that the ranks have compiled, by kind: the ops, and
    the collectives with their sizes, but without numbers of rows that are computed.

    A rank may compile a graph again when the others do not, for example for another
    number of tokens in a dropless layer. It then runs together with earlier graphs
    of the same kind on the other ranks, so it must have the same collectives after
    the passes. If it has, there is nothing to ask the other ranks."""

    def __init__(self, function: str = "a graph"):
        self.function = function
        #: A version, or the reason why graphs of a kind run unchanged.
        self.known: Dict[str, Union[_Version, str]] = {}
        self._asked = 0

    def ask(self) -> str:
        """A name for the next graph of a kind that is not known."""
        self._asked += 1
        return f"graph {self._asked} of {self.function}"


class _Rewriting:
    """The rewriting of one graph on this rank."""

    def __init__(self, gm: fx.GraphModule, facts: Facts, passes: List[str],
                 tool: Optional[str], decompositions: Decompositions):
        self.gm = gm
        self.facts = facts
        self.passes = passes
        self.tool = tool
        self.decompositions = decompositions
        self.rank = dist.get_rank() if dist.is_initialized() else 0
        self.collectives = [node for node in gm.graph.nodes if is_collective(node)]

    def _emit(self) -> Tuple[Mesh, Groups, Dict[str, str], Program]:
        check_in_place(self.gm, self.passes)
        names = [name for name in dict.fromkeys(map(get_group, self.collectives))
                 if name is not None]
        mesh = make_mesh(self.facts.mesh, [get_group_ranks(n) for n in names])
        groups = Groups(mesh, self.rank)
        axes = {name: groups.add(name) for name in names}
        return mesh, groups, axes, emit(self.gm, axes)

    def find_kind(self) -> Optional[str]:
        """The kind of the graph, or None if the graph cannot be written as text."""
        try:
            mesh, _, axes, program = self._emit()
        except Exception:  # the ranks compare the error when they emit the graph
            return None

        def describe(node: fx.Node) -> Any:
            shapes: List[List[Any]] = []
            for value in (node.args[0], node):
                of = value.meta.get("val") if isinstance(value, fx.Node) else None
                if isinstance(of, torch.Tensor):
                    shapes.append([size if is_known(size) else "?"
                                   for size in of.shape])
            if any(shape[:1] == ["?"] for shape in shapes):
                shapes = [["?", *shape[1:]] for shape in shapes]
            return str(node.target), axes.get(get_group(node) or ""), shapes

        ops = re.findall(r'"(torch\.[\w.]+)"\(', program.text)
        same = sorted((axis, sorted(names))
                      for axis, names in self.facts.replicated.items())
        return repr((str(mesh), ops, list(map(describe, self.collectives)), same))

    def run(self, agreement: Agreement, known: Optional[_Version] = None
            ) -> Tuple[Rewritten, _Version]:
        """Rewrites the graph. With a version that the ranks know, asks no rank."""
        def check(make: Any, what: str) -> Any:
            try:
                return agreement.check(make, what)
            except DifferenceError as error:
                uneven = _find_uneven_splits(self.collectives)
                if uneven is None:
                    raise
                raise Error(f"{uneven}. {error}") from error

        def emit_it() -> Any:
            made = self._emit()
            # Without the constants, whose numbers may differ between ranks.
            program = made[-1]
            lines = program.text.split("\n")
            return "\n".join(lines[line - 1] for line in program.lines), made

        mesh, groups, axes, program = check(emit_it, "the graph")
        if known is None:
            differing = find_rank_numbers(agreement, program.numbers)
        else:
            differing = known.differing
            self._check_rank_numbers(program, differing)

        def finish_text() -> Any:
            final = emit(self.gm, axes, differing) if differing else program
            varying = _state_facts(final, mesh, self.facts, differing)
            named = ",".join(f"{axis}={axis}"
                             for axis in sorted(set(axes.values())))
            layers = str(needs_layers(self.passes)).lower()
            read = (f"convert-torch-to-moe=mesh={mesh} groups={named} "
                    f"varying={varying} layers={layers}")
            return "\n".join([final.text, read, *self.passes]), (final, read)

        program, read = check(finish_text, "the facts and the passes")

        def run() -> Any:
            after, remarks = run_tool(program.text, read, self.passes,
                                      "convert-moe-to-torch", self.tool)
            return after, (after, remarks, parse.parse(after))

        after, remarks, function = agreement.check(run, "the output of moe-opt")
        collectives = _describe_collectives(function)
        if known is not None:
            if collectives != known.collectives:
                raise Error("the passes made other collectives of it")
            groups.adopt(known.groups)

        # All ranks create missing groups in the order of the text.
        agreement.check(lambda: ("", [groups.find(text)
                                      for text in find_groups(function)]),
                        "process groups")
        made = agreement.check(
            lambda: ("", apply(self.gm, program, after, groups,
                               self.decompositions)), "the graph")
        return (Rewritten(made, program, after, remarks, self.gm),
                _Version(differing, collectives, groups.get_known()))

    def _check_rank_numbers(self, program: Program,
                            differing: Mapping[int, Mapping[int, str]]) -> None:
        """The facts about numbers that differ between ranks hold only for the numbers
        that the ranks have compared."""
        numbers = [repr(number) for number in program.numbers]
        if any(numbers[place:place + 1] != [values[self.rank]]
               for place, values in differing.items()):
            raise Error("its constants that differ between ranks have changed")

    def run_alone(self, known: _Version, function: str) -> Rewritten:
        try:
            made, _ = self.run(Agreement([self.rank], self.rank), known)
            made.is_known = True
            return made
        except Exception as error:
            raise RanksError(
                f"{function} was compiled for other sizes, with which other ranks may "
                f"still run, and cannot be compiled in the same way: {error}. Use "
                "the same sizes on all ranks") from error


def _describe_collectives(function: parse.Function) -> str:
    strings = {op.results[0]: op.attributes.get("value")
               for op in function.ops if op.name == "torch.constant.str"}
    return repr([(op.name, op.attributes.get("fx.from", op.attributes.get("fx.node")),
                  op.types, [strings[one] for one in op.operands if one in strings])
                 for op in function.ops if op.name.startswith(_DIALECT)])


def rewrite_graph(gm: fx.GraphModule, facts: Facts, *,
                  pipeline: Optional[Pipeline] = None,
                  platform: Optional[str] = None, tool: Optional[str] = None,
                  deadline: float = DEADLINE,
                  decompositions: Decompositions = MappingProxyType({}),
                  versions: Optional[Versions] = None) -> Optional[Rewritten]:
    """Like `rewrite`, but returns the texts and remarks too, or None for a graph
    without collectives. `decompositions` apply to ops that passes create. `versions`
    has the earlier graphs of the same function."""
    if not any(is_collective(node) for node in gm.graph.nodes):
        return None
    versions = versions or Versions()
    rewriting = _Rewriting(functionalize(gm), facts, get_passes(pipeline, platform),
                           tool, decompositions)
    kind = rewriting.find_kind()
    known = versions.known.get(kind) if kind is not None else None
    if isinstance(known, str):
        raise Error(known)
    if known is not None:
        made = rewriting.run_alone(known, versions.function)
        made.kind = kind
        return made
    agreement = make_agreement(facts.mesh, deadline)
    agreement.meet(versions.ask())
    try:
        made, version = rewriting.run(agreement)
    except RanksError:
        raise
    except Exception as error:
        if isinstance(error, DifferenceError) and not all(
                isinstance(one, str) for one in versions.known.values()):
            # Ranks may run earlier graphs for the same sizes, which are rewritten.
            raise RanksError(str(error)) from error
        if kind is not None:
            versions.known[kind] = str(error)
        raise
    if kind is not None:
        versions.known[kind] = version
    made.kind = kind
    return made


def rewrite(gm: fx.GraphModule, facts: Facts = Facts(), *,
            pipeline: Optional[Pipeline] = None,
            platform: Optional[str] = None, tool: Optional[str] = None,
            deadline: float = DEADLINE) -> fx.GraphModule:
    """Rewrites the communication of a graph of ATen ops and functional
    collectives, such as AOTAutograd's joint graph or the graph of a training step
    from `make_fx`. Returns a graph with the same inputs and outputs. All ranks
    must call it with the same graph in the same order; if one rank fails, all
    raise an `Error`. `pipeline` and `platform` are as for `moe_mlir.optimize`, and
    `deadline` is the time limit for the other ranks, in seconds.

    The graph must contain the backward pass already. Differentiating a rewritten
    forward graph gives wrong gradients, because autograd sums gradients that are
    equal on all ranks."""
    made = rewrite_graph(gm, facts, pipeline=pipeline, platform=platform,
                         tool=tool, deadline=deadline)
    return gm if made is None else made.graph
