"""Writes FX graphs as the text that `moe-opt --convert-torch-to-moe` reads.

Each node becomes an op with all arguments of PyTorch's schema, and with the
node's name in `fx.node`. The text is equal on all ranks: group names are mesh
axes, and a number that differs between ranks becomes a function argument.
"""

import dataclasses
import math
import operator
import re
from typing import (Any, Collection, Dict, Iterator, List, Mapping, Optional,
                    Set, Tuple, Union)

import torch
from torch import fx

_ELEMENTS = {
    torch.float64: "f64", torch.float32: "f32", torch.float16: "f16",
    torch.bfloat16: "bf16", torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2", torch.int64: "si64", torch.int32: "si32",
    torch.int16: "si16", torch.int8: "si8", torch.uint8: "ui8",
    torch.bool: "i1",
}
# The values of PyTorch's enums in schemas.
_DTYPES = {dtype: number for number, dtype in enumerate(
    [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
     torch.float16, torch.float32, torch.float64, torch.complex32,
     torch.complex64, torch.complex128, torch.bool])}
_DTYPES[torch.bfloat16] = 15
_FORMATS = {torch.contiguous_format: 0, torch.preserve_format: 1,
            torch.channels_last: 2}

#: Assertions. In the text each has a result, which @main returns after the results
#: of the graph: this keeps the assertion, without an order between it and others.
_CHECKS = ("aten::_assert_async", "aten::_assert_scalar",
           "aten::_assert_tensor_metadata", "aten::sym_constrain_range",
           "aten::sym_constrain_range_for_size")

#: Modules with Python functions that have no side effects.
_PURE_MODULES = ("operator", "_operator", "math", "builtins")

Number = Union[int, float]


class Unsupported(Exception):
    """The graph has a node that cannot be written as text."""


@dataclasses.dataclass
class Program:
    """The text of a graph."""

    text: str
    #: The node of each argument, or None for a number that differs between ranks.
    arguments: List[Optional[fx.Node]]
    #: All numeric constants, in text order.
    numbers: List[Number]
    #: This rank's numbers that are arguments, in their order.
    rank_numbers: List[Number]
    #: The nodes by their names in `fx.node`. PyTorch's own names count nodes that
    #: differ between ranks, such as the parts of a tensor that a rank drops.
    nodes: Dict[str, fx.Node]
    #: The number of results that @main has for assertions.
    checks: int
    #: The node in each line; lines start at 1.
    lines: Dict[int, fx.Node]


def get_dtype(number: int) -> torch.dtype:
    """The type of elements that PyTorch's schemas have a number for."""
    return next(dtype for dtype, one in _DTYPES.items() if one == number)


def get_type(value: Any) -> str:
    """The type of a value in torch-mlir's syntax."""
    if isinstance(value, torch.Tensor):
        sizes = ",".join(str(size) if is_known(size) else "?"
                         for size in value.shape)
        element = _ELEMENTS.get(value.dtype, str(value.dtype))
        return f"!torch.vtensor<[{sizes}],{element}>"
    if isinstance(value, (torch.SymBool, bool)):
        return "!torch.bool"
    if isinstance(value, (torch.SymInt, int)):
        return "!torch.int"
    if isinstance(value, (torch.SymFloat, float)):
        return "!torch.float"
    if value is None:
        return "!torch.none"
    return f'!torch.opaque<"{type(value).__name__}">'


def is_known(size: Any) -> bool:
    return isinstance(size, int) or size.node.is_constant()


def get_name(target: Any) -> str:
    """`torch.aten.sum.dim_IntList`, `torch._c10d_functional.all_reduce`."""
    if isinstance(target, torch._ops.OpOverload):
        name = target._schema.name.replace("::", ".")
        overload = target._overloadname
        return "torch." + name + (f".{overload}" if overload != "default"
                                  else "")
    name = getattr(target, "__name__", type(target).__name__)
    return "torch.python." + re.sub(r"[^\w]", "_", name)


def is_check(target: Any) -> bool:
    return (isinstance(target, torch._ops.OpOverload)
            and target._schema.name in _CHECKS)


def get_facts(node: fx.Node) -> List[str]:
    """Facts from PyTorch's schemas and tags: `function` (the results depend on the
    operands only, without side effects) and `pointwise`."""
    target = node.target
    if is_check(target):
        return ["function"]
    if node.is_impure():
        return []
    if not isinstance(target, torch._ops.OpOverload):
        module = getattr(target, "__module__", "")
        name = getattr(target, "__name__", "")
        return ["function"] if (module in _PURE_MODULES
                                or name.startswith("sym_")) else []
    schema = target._schema
    space, name = schema.name.split("::")
    if (space not in ("aten", "prims") or schema.is_mutable
            or not schema.returns
            or torch.Tag.nondeterministic_seeded in target.tags
            # Later ops write the elements.
            or ("empty" in name and any(map(writes_memory, node.users)))):
        return []
    facts = ["function"]
    if torch.Tag.pointwise in target.tags and len(schema.returns) == 1:
        facts.append("pointwise")
    return facts


def writes_memory(node: fx.Node) -> bool:
    """Whether an op changes an argument in place."""
    return (node.op == "call_function"
            and isinstance(node.target, torch._ops.OpOverload)
            and node.target._schema.is_mutable)


def is_in_order(node: fx.Node) -> bool:
    """Whether the order of a node among others like it matters: ops in place,
    random numbers, and unknown ops."""
    return (node.op == "call_function" and not get_facts(node)
            and not node.target == torch.ops._c10d_functional.wait_tensor.default
            and not is_collective(node)
            and (writes_memory(node) or node.is_impure()
                 or (isinstance(node.target, torch._ops.OpOverload)
                     and torch.Tag.nondeterministic_seeded
                     in node.target.tags)))


def is_backward(node: fx.Node) -> bool:
    return (bool(node.meta.get("autograd_backward"))
            or node.meta.get("partitioner_tag") == "is_backward")


def get_arguments(node: fx.Node) -> List[Any]:
    """All arguments of the schema, with defaults filled in."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return [*node.args, *node.kwargs.values()]
    return [node.args[i] if i < len(node.args)
            else node.kwargs.get(argument.name, argument.default_value)
            for i, argument in enumerate(node.target._schema.arguments)]


def is_collective(node: fx.Node) -> bool:
    """Whether a node launches a functional collective."""
    return (isinstance(node.target, torch._ops.OpOverload)
            and node.target.namespace.startswith("_c10d_functional")
            and "wait_tensor" not in node.target._schema.name)


def get_group(node: fx.Node) -> Optional[str]:
    """The name of the group of a collective."""
    for argument in reversed(get_arguments(node)):
        if isinstance(argument, str):
            return argument
    return None


def _returns_list(target: Any) -> bool:
    return (isinstance(target, torch._ops.OpOverload)
            and len(target._schema.returns) == 1
            and isinstance(target._schema.returns[0].type, torch.ListType))


class _Emitter:
    def __init__(self, gm: fx.GraphModule, groups: Mapping[str, str],
                 rank_numbers: Collection[int]):
        self.gm = gm
        self.groups = groups
        self.rank_numbers = rank_numbers
        self.lines: List[Tuple[str, Optional[fx.Node]]] = []
        self.values: Dict[fx.Node, Any] = {}
        self.numbers: List[Number] = []
        self.arguments: List[Tuple[str, Optional[fx.Node]]] = []
        self.checks: List[Any] = []
        self.nodes: Dict[str, fx.Node] = {}
        self.name_counts: Dict[str, int] = {}
        self.count = 0

    def new(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def add_argument(self, type_: str, node: Optional[fx.Node]) -> Any:
        self.arguments.append((type_, node))
        return f"%arg{len(self.arguments) - 1}", type_

    def constant(self, kind: str, value: Optional[str], type_: str) -> Any:
        name = self.new()
        props = f" <{{value = {value}}}>" if value is not None else ""
        self.lines.append(
            (f'{name} = "torch.constant.{kind}"(){props} : () -> {type_}',
             None))
        return name, type_

    def number(self, value: Number) -> Any:
        self.numbers.append(value)
        is_float = isinstance(value, float)
        if len(self.numbers) - 1 in self.rank_numbers:
            return self.add_argument("!torch.float" if is_float
                                     else "!torch.int", None)
        if not is_float:
            return self.constant("int", f"{value} : i64", "!torch.int")
        text = ("%.17e" % value if math.isfinite(value) else
                "0x7FF0000000000000" if value > 0 else
                "0xFFF0000000000000" if value < 0 else "0x7FF8000000000000")
        return self.constant("float", f"{text} : f64", "!torch.float")

    def operand(self, value: Any) -> Any:
        """The SSA value of an argument, and its type."""
        if isinstance(value, fx.Node):
            return self.values[value]
        if value is None:
            return self.constant("none", None, "!torch.none")
        if isinstance(value, bool):
            return self.constant("bool", str(value).lower(), "!torch.bool")
        if isinstance(value, (int, float)):
            return self.number(value)
        if isinstance(value, str):
            return self.constant("str", _quote(value), "!torch.str")
        if isinstance(value, torch.device):
            # The index differs between ranks.
            return self.constant("device", _quote(value.type),
                                 "!torch.Device")
        for known in (_DTYPES, _FORMATS):
            if isinstance(value, (torch.dtype, torch.memory_format)) \
                    and value in known:
                return self.constant("int", f"{known[value]} : i64",
                                     "!torch.int")
        if isinstance(value, torch.layout):
            return self.constant("int", "0 : i64", "!torch.int")
        if isinstance(value, (list, tuple)):
            return self.list([self.operand(item) for item in value])
        return self.constant("str", _quote(type(value).__name__), "!torch.str")

    def list(self, items: List[Any]) -> Any:
        types = [type_ for _, type_ in items]
        kinds = {"vtensor" if "vtensor" in type_ else
                 type_.replace("!torch.", "") for type_ in types}
        of = f"!torch.list<{kinds.pop() if len(kinds) == 1 else 'int'}>"
        name = self.new()
        self.lines.append((
            f'{name} = "torch.prim.ListConstruct"'
            f'({", ".join(value for value, _ in items)}) : '
            f'({", ".join(types)}) -> {of}', None))
        return name, of

    def call(self, node: fx.Node) -> None:
        arguments = get_arguments(node)
        if is_collective(node):
            arguments = [self.groups.get(a, a) if isinstance(a, str) else a
                         for a in arguments]
        if (node.target is operator.getitem
                and isinstance(self.values.get(node.args[0]), list)):
            self.values[node] = self.values[node.args[0]][node.args[1]]
            return
        name = get_name(node.target)
        if node.target is operator.getitem:
            name = "torch.aten.__getitem__.t"
        operands = [self.operand(argument) for argument in arguments]
        value = node.meta.get("val")
        if _returns_list(node.target):
            types = ["!torch.list<vtensor>"]
        elif isinstance(value, (tuple, list)):
            types = [get_type(one) for one in value]
        else:
            types = [] if value is None else [get_type(value)]
        if is_check(node.target):
            types = ["!torch.vtensor<[],i1>"]
        left = self.new() if types else ""
        if is_check(node.target):
            self.checks.append((left, types[0]))
        if isinstance(value, (tuple, list)) and not _returns_list(node.target):
            self.values[node] = [
                (f"{left}#{i}" if len(types) > 1 else left, type_)
                for i, type_ in enumerate(types)]
        elif types:
            self.values[node] = left, types[0]
        if left:
            left += f":{len(types)} = " if len(types) > 1 else " = "
        to = types[0] if len(types) == 1 else f"({', '.join(types)})"
        self.lines.append((
            f'{left}"{name}"({", ".join(o for o, _ in operands)}) '
            f'{{{", ".join(self.get_attributes(node))}}} : '
            f'({", ".join(type_ for _, type_ in operands)}) -> {to}', node))

    def name(self, node: fx.Node) -> str:
        """The op of a node, and a count of the earlier nodes with this op."""
        base = get_name(node.target).split(".")[2]
        number = self.name_counts.get(base, 0)
        self.name_counts[base] = number + 1
        name = f"{base}_{number}" if number else base
        self.nodes[name] = node
        return name

    def get_attributes(self, node: fx.Node) -> Iterator[str]:
        yield f'fx.node = "{self.name(node)}"'
        for fact in get_facts(node):
            yield f"fx.{fact}"
        layer = (node.meta.get("custom") or {}).get("moe_layer")
        if layer is not None:
            yield f"fx.layer = {_quote(str(layer))}"
        if is_backward(node):
            yield "fx.backward"

    def run(self) -> Program:
        returned: List[Any] = []
        needed = _find_needed(self.gm.graph)
        for node in self.gm.graph.nodes:
            if node not in needed:
                continue
            if node.op in ("placeholder", "get_attr"):
                value = node.meta.get("val")
                if node.op == "get_attr" and value is None:
                    value = getattr(self.gm, node.target, None)
                self.values[node] = self.add_argument(get_type(value), node)
            elif node.op == "call_function":
                self.call(node)
            elif node.op == "output":
                leaves = torch.utils._pytree.tree_leaves(node.args)
                returned = [self.values[one] for one in leaves
                            if isinstance(one, fx.Node)]
            else:
                raise Unsupported(
                    f"expected a graph of functions, got {node.op} of "
                    f"'{node.target}'")
        returned += self.checks
        types = [type_ for type_, _ in self.arguments]
        results = [type_ for _, type_ in returned]
        head = ['"builtin.module"() ({',
                '  "func.func"() <{function_type = '
                f'({", ".join(types)}) -> ({", ".join(results)}), '
                'sym_name = "main"}> ({',
                "  ^bb0(" + ", ".join(f"%arg{i}: {type_}" for i, type_
                                      in enumerate(types)) + "):"]
        body = ["    " + line for line, _ in self.lines]
        tail = [f'    "func.return"({", ".join(v for v, _ in returned)}) : '
                f'({", ".join(results)}) -> ()',
                "  }) : () -> ()", "}) : () -> ()", ""]
        return Program(
            "\n".join(head + body + tail),
            [node for _, node in self.arguments], self.numbers,
            [self.numbers[place] for place in sorted(self.rank_numbers)],
            self.nodes, len(self.checks),
            {len(head) + 1 + i: node for i, (_, node) in enumerate(self.lines)
             if node is not None})


def _find_needed(graph: fx.Graph) -> Set[fx.Node]:
    """The nodes that are inputs, that results need, or that have effects."""
    needed: Set[fx.Node] = set()
    for node in reversed(graph.nodes):
        if (node in needed or node.op in ("placeholder", "output")
                or node.is_impure()):
            needed.add(node)
            needed.update(node.all_input_nodes)
    return needed


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', "\\22")
    return '"' + escaped.replace("\n", "\\0A") + '"'


def emit(gm: fx.GraphModule, groups: Mapping[str, str],
         rank_numbers: Collection[int] = ()) -> Program:
    """The text of a graph. `groups` maps names of process groups to names in the
    text. `rank_numbers` are indices in `Program.numbers` of numbers that differ
    between ranks."""
    return _Emitter(gm, groups, frozenset(rank_numbers)).run()
