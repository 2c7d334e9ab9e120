"""Builds an FX graph from the text that moe-opt returns.

An op of the original graph is copied from its node, with its new operands. An op
that a pass created becomes a call of an ATen op or a functional collective. The
builder evaluates each node with fake tensors and compares the result with the
type in the text. Ops that a compiler expects to be decomposed are decomposed here,
because AOTAutograd has decomposed the original graph already.
"""

import contextlib
import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Set

import torch
from torch import fx
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import (rebind_unbacked,
                                                      statically_known_true)

from .._library import Error
from . import parse
from .ranks import Groups
from .text import (Program, get_arguments, get_dtype, get_group, get_name,
                   get_type, is_backward, is_check, is_collective,
                   is_in_order)

_ATEN = torch.ops.aten
_WAIT = torch.ops._c10d_functional.wait_tensor.default

# Metadata about the origin of a node, which partitioners and profilers read.
_KEPT = ("stack_trace", "nn_module_stack", "fwd_nn_module_stack",
         "source_fn_stack", "custom", "seq_nr", "autograd_backward",
         "partitioner_tag", "recompute", "from_node", "original_aten",
         "ac_graph_id", "desc")

# The symbols of computed sizes that a node defines, which Inductor reads. Only the
# copy of this node defines them.
_SYMBOLS = "unbacked_bindings"

# Functions of sizes that a pass may create.
_NUMBERS = {"torch.python.floordiv": operator.floordiv,
            "torch.python.mul": operator.mul, "torch.python.sub": operator.sub,
            "torch.python.sym_sum": torch.sym_sum}

#: Functions that compute an op by others, by the op.
Decompositions = Mapping[Any, Callable[..., Any]]

# Arguments that are the sizes of the result.
_SIZES = {"view": 1, "_unsafe_view": 1, "reshape": 1, "expand": 1}


def _same_layout(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) != isinstance(b, torch.Tensor):
        return False
    if not isinstance(a, torch.Tensor):
        return True
    return (a.dtype == b.dtype and a.dim() == b.dim()
            and all(_is_same(x, y) for x, y in zip(a.shape, b.shape))
            and all(_is_same(x, y) for x, y in zip(a.stride(), b.stride())))


def _is_same(a: Any, b: Any) -> bool:
    """Compares two sizes. Computed ones are the same if this follows from the
    assertions of the graph."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return str(a) == str(b) or statically_known_true(a == b)


def _is_contiguous(value: torch.Tensor) -> bool:
    try:
        return value.is_contiguous()
    except RuntimeError:  # it depends on a computed size
        return False


class _Builder:
    def __init__(self, gm: fx.GraphModule, program: Program, groups: Groups,
                 decompositions: Decompositions):
        self.gm = gm
        self.decompositions = decompositions
        self.program = program
        self.groups = groups
        self.old = program.nodes
        self.taken: Set[str] = set()
        # The nodes whose order matters, as they are copied.
        self.in_order: List[fx.Node] = []
        self.graph = fx.Graph()
        self.env: Dict[str, Any] = {}
        values = [node.meta.get("val") for node in gm.graph.nodes
                  if node.op == "placeholder"]
        self.mode = (detect_fake_mode(values)
                     or FakeTensorMode(allow_non_fake_inputs=True))

    # Nodes.

    def create(self, target: Any, args: Any, kwargs: Any,
               like: Optional[fx.Node], name: Optional[str] = None,
               value: Any = None) -> fx.Node:
        node = self.graph.create_node("call_function", target, tuple(args),
                                      dict(kwargs), name=name)
        if like is not None:
            for key in _KEPT:
                if key in like.meta:
                    node.meta[key] = like.meta[key]
        defined = (like.meta.get(_SYMBOLS) if like is not None
                   and like.target == target else None)
        if defined:
            node.meta[_SYMBOLS] = defined
        if value is None:
            value = self.compute(node)
            if defined:
                rebind_unbacked(self.mode.shape_env, node, value)
        node.meta["val"] = value
        return node

    def compute(self, node: fx.Node) -> Any:
        def get_value(of: fx.Node) -> Any:
            value = of.meta.get("val")
            if value is None and of.op == "get_attr":
                value = getattr(self.gm, of.target)
            if isinstance(value, torch.Tensor) and self.mode is not None:
                if not isinstance(value, torch._subclasses.FakeTensor):
                    value = self.mode.from_tensor(value)
            return value
        args, kwargs = fx.map_arg((node.args, node.kwargs), get_value)
        try:
            with self.mode, self.rename_symbols():
                return node.target(*args, **kwargs)
        except Exception as error:
            raise Error(f"moe-opt: expected a call that PyTorch takes, got "
                        f"{node.format_node()}: {error}") from error

    def rename_symbols(self) -> Any:
        """A context in which ops define symbols that `rebind_unbacked` renames to
        the symbols of the original graph."""
        env = self.mode.shape_env
        return (contextlib.nullcontext() if env is None
                else env.ignore_fresh_unbacked_symbols())

    def call(self, target: Any, *args: Any, like: Optional[fx.Node],
             **kwargs: Any) -> fx.Node:
        return self.create(target, args, kwargs, like)

    def reshape(self, x: fx.Node, sizes: List[Any],
                like: Optional[fx.Node]) -> fx.Node:
        """A view, of a contiguous copy if the strides require it."""
        values = fx.map_arg(sizes, lambda node: node.meta["val"])
        try:
            with self.mode:
                x.meta["val"].view(values)
        except (RuntimeError, ValueError):
            x = self.dense(x, like, always=True)
        return self.call(_ATEN.view.default, x, sizes, like=like)

    def dense(self, x: fx.Node, like: Optional[fx.Node],
              always: bool = False) -> fx.Node:
        """A contiguous copy, if it is not contiguous: collectives need it."""
        if not always and _is_contiguous(x.meta["val"]):
            return x
        return self.call(_ATEN.clone.default, x, like=like,
                         memory_format=torch.contiguous_format)

    # Ops.

    def run(self, function: parse.Function) -> fx.GraphModule:
        arguments = self.program.arguments
        if len(function.arguments) != len(arguments):
            raise Error(f"moe-opt: expected @main with {len(arguments)} "
                        f"arguments, got {len(function.arguments)}")
        numbers = iter(self.program.rank_numbers)
        for name, node in zip(function.arguments, arguments):
            if node is None:
                self.env[name] = next(numbers)
                continue
            if node.op == "placeholder":
                made = self.graph.placeholder(node.name)
            else:
                made = self.graph.get_attr(node.target)
            made.meta = dict(node.meta)
            self.env[name] = made
            self.taken.add(node.name)
        for op in function.ops:
            self.add(op)
        return self.finish(function)

    def get(self, name: str) -> Any:
        return self.env.get(name)

    def add(self, op: parse.Op) -> None:
        if op.name.startswith("torch.constant."):
            self.env[op.results[0]] = op.attributes.get("value")
            return
        if op.name == "torch.prim.ListConstruct":
            self.env[op.results[0]] = [self.get(o) for o in op.operands]
            return
        name = op.attributes.get("fx.node")
        old = self.old.get(name) if name is not None else None
        if old is None and name is not None:
            raise Error(f"moe-opt: expected a node of the graph, got '{name}'")
        if old is not None and self.stands_for(old, op):
            made = self.copy(old, op)
            if is_in_order(old):
                self.in_order.append(old)
        else:
            like = old or self.old.get(op.attributes.get("fx.from"))
            made = self.make(op, like or self.find_like(op))
        task = op.attributes.get("fx.task")
        if task is not None:
            made.meta["custom"] = {**(made.meta.get("custom") or {}),
                                   "moe_task": task}
        self.bind(op, made, old)

    @staticmethod
    def stands_for(old: fx.Node, op: parse.Op) -> bool:
        if old.target is operator.getitem:
            return op.name == "torch.aten.__getitem__.t"
        return get_name(old.target) == op.name

    def find_like(self, op: parse.Op) -> Optional[fx.Node]:
        """The node that lends its metadata to an op without an origin: an
        operand, preferably of the backward pass."""
        nodes = [self.get(o) for o in op.operands
                 if isinstance(self.get(o), fx.Node)]
        nodes = [node for node in nodes if node.op == "call_function"]
        return next((node for node in nodes if is_backward(node)),
                    nodes[0] if nodes else None)

    def bind(self, op: parse.Op, made: fx.Node,
             old: Optional[fx.Node]) -> None:
        value = made.meta["val"]
        if is_check(made.target):
            return
        is_tuple = isinstance(value, (tuple, list))
        if is_tuple and not (len(op.results) == 1
                             and op.types[0].startswith("!torch.list")):
            if len(op.results) != len(value):
                raise Error(f"moe-opt: expected {len(value)} results of "
                            f"{op.name}, got {len(op.results)}")
            readers = {user.args[1]: user for user in (old.users if old else ())
                       if user.target is operator.getitem}
            for i, result in enumerate(op.results):
                if value[i] is None:
                    continue
                self.check(op.types[i], value[i], op.name)
                reader = readers.get(i)
                self.env[result] = self.create(
                    operator.getitem, (made, i), {}, reader or old,
                    self.take_name(reader), value[i])
        elif op.results:
            if not is_tuple:
                self.check(op.types[0], value, op.name)
            self.env[op.results[0]] = made

    @staticmethod
    def check(type_: str, value: Any, name: str) -> None:
        """Compares the type in the text with the fake tensor."""
        want = parse.get_shape(type_)
        if want is None:
            if isinstance(value, torch.Tensor) and "vtensor" not in type_:
                raise Error(f"moe-opt: expected {type_} of {name}, got a tensor")
            return
        have = parse.get_shape(_to_builtin(get_type(value)))
        if (have is None or len(have) != len(want)
                or any(a is not None and b is not None and a != b
                       for a, b in zip(want, have))
                or type_.split("x")[-1] !=
                _to_builtin(get_type(value)).split("x")[-1]):
            raise Error(f"moe-opt: expected {type_} of {name}, got "
                        f"{get_type(value)}")

    def take_name(self, node: Optional[fx.Node]) -> Optional[str]:
        """The name of a node, for its first copy only."""
        if node is None or node.name in self.taken:
            return None
        self.taken.add(node.name)
        return node.name

    def copy(self, old: fx.Node, op: parse.Op) -> fx.Node:
        """Copies a node of the original graph, with new operands."""
        before = get_arguments(old)
        if len(before) != len(op.operands):
            raise Error(f"moe-opt: expected {len(before)} operands of "
                        f"{op.name}, got {len(op.operands)}")
        given = [self.get(o) for o in op.operands]
        base = (old.target._schema.name.split("::")[1]
                if isinstance(old.target, torch._ops.OpOverload) else "")
        sizes = None
        if base in _SIZES:
            place = _SIZES[base]
            shape = parse.get_shape(op.types[0])
            if shape is not None and None not in shape and shape != [
                    int(s) if isinstance(s, int) else None
                    for s in old.meta["val"].shape]:
                sizes = shape
        now: List[Any] = []
        for i, (was, given_now) in enumerate(zip(before, given)):
            if sizes is not None and i == place:
                now.append(sizes)
            elif _has_node(was):
                now.append(self.merge(was, given_now, op))
            else:
                now.append(was)
        if isinstance(old.target, torch._ops.OpOverload):
            args, kwargs = _place(old.target, now, len(old.args))
        else:
            args = now[:len(old.args)]
            kwargs = dict(zip(old.kwargs, now[len(old.args):]))
        same = all(_same_layout(a.meta.get("val"), b.meta.get("val"))
                   for a, b in zip(_nodes(before), _nodes(now)))
        if same and sizes is None:
            return self.create(old.target, args, kwargs, old,
                               self.take_name(old), old.meta.get("val"))
        if base in ("view", "_unsafe_view", "reshape") \
                and isinstance(now[0], fx.Node):
            return self.reshape(now[0], list(now[1]), old)
        return self.create(old.target, args, kwargs, old, self.take_name(old))

    def merge(self, was: Any, now: Any, op: parse.Op) -> Any:
        """Replaces the nodes in an argument by the new values."""
        if isinstance(was, fx.Node):
            if not isinstance(now, fx.Node):
                raise Error(f"moe-opt: expected values as operands of {op.name} "
                            f"that were, got {now!r}")
            return now
        if isinstance(was, (list, tuple)):
            if not isinstance(now, list) or len(now) != len(was):
                raise Error(f"moe-opt: expected a list of {len(was)} as an "
                            f"operand of {op.name}")
            return [self.merge(a, b, op) if _has_node(a) else a
                    for a, b in zip(was, now)]
        return was

    def make(self, op: parse.Op, like: Optional[fx.Node]) -> fx.Node:
        """Creates the call of an op that a pass created."""
        given = [self.get(o) for o in op.operands]
        if op.name == "torch.moe.drop":
            x, dim, group = given
            _, places = self.groups.find(group)
            at = places.index(self.groups.mesh.ranks.index(self.groups.rank))
            size = x.meta["val"].shape[dim] // len(places)
            return self.call(_ATEN.slice.Tensor, x, dim, at * size,
                             (at + 1) * size, like=like)
        if op.name == "torch.aten.reshape":
            return self.reshape(given[0], given[1], like)
        parts = op.name.split(".")
        if op.name in _NUMBERS:
            return self.call(_NUMBERS[op.name], *given, like=None)
        if len(parts) < 3 or parts[1] not in ("aten", "_c10d_functional"):
            raise Error(f"moe-opt: expected ops of ATen, got {op.name}")
        packet = getattr(getattr(torch.ops, parts[1]), parts[2], None)
        target = getattr(packet, parts[3] if len(parts) > 3 else "default",
                         None)
        if target is None:
            raise Error(f"moe-opt: expected ops of ATen, got {op.name}")
        if parts[1] == "_c10d_functional" and target is not _WAIT:
            group = (get_group(like) if like is not None
                     and is_collective(like) else None)
            given = [self.dense(given[0], like), *given[1:-1],
                     self.groups.find(given[-1], group)[0]]
        args, kwargs = _place(target, given, len(given))
        if target in self.decompositions and _returns_tensor(target):
            return self.decompose(target, args, kwargs, like)
        return self.create(target, args, kwargs, like)

    def decompose(self, target: Any, args: Any, kwargs: Any,
                  like: Optional[fx.Node]) -> fx.Node:
        """Creates the calls that an op is decomposed into."""
        leaves, tree = torch.utils._pytree.tree_flatten((args, kwargs))
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, fx.Node)]

        def call(*values: Any) -> Any:
            given = list(leaves)
            for place, value in zip(places, values):
                given[place] = value
            args, kwargs = torch.utils._pytree.tree_unflatten(given, tree)
            return target(*args, **kwargs)

        with self.mode:
            traced = make_fx(call, decomposition_table=dict(self.decompositions))(
                *(leaves[place].meta["val"] for place in places))
        made: Dict[fx.Node, fx.Node] = {}
        operands = iter(leaves[place] for place in places)
        for node in traced.graph.nodes:
            if node.op == "placeholder":
                made[node] = next(operands)
            elif node.op == "output":
                return made[node.args[0]]
            elif node.op == "call_function":
                made[node] = self.create(
                    node.target, *fx.map_arg((node.args, node.kwargs),
                                             made.__getitem__), like)
            else:
                raise Error(f"moe-opt: expected a decomposition of {target} "
                            f"without constants, got {node.format_node()}")
        raise AssertionError("a graph has an output")

    # The end.

    def finish(self, function: parse.Function) -> fx.GraphModule:
        out = next(n for n in self.gm.graph.nodes if n.op == "output")
        leaves, tree = torch.utils._pytree.tree_flatten(out.args[0])
        count = sum(isinstance(leaf, fx.Node) for leaf in leaves)
        if count + self.program.checks != len(function.returned):
            raise Error(f"moe-opt: expected @main to return "
                        f"{count + self.program.checks} values, got "
                        f"{len(function.returned)}")
        before = [node for node in self.old.values() if is_in_order(node)]
        if before != self.in_order:
            raise Error("moe-opt: expected ops with effects in their order, "
                        f"{before}, got {self.in_order}")
        returned = iter(function.returned)
        results = [self.get_result(leaf, next(returned))
                   if isinstance(leaf, fx.Node) else leaf for leaf in leaves]
        node = self.graph.output(
            torch.utils._pytree.tree_unflatten(results, tree))
        node.meta = dict(out.meta)
        self.erase_unread(node)
        self.graph.lint()
        made = fx.GraphModule(self.gm, self.graph)
        made.meta = dict(self.gm.meta)
        return made

    def get_result(self, was: fx.Node, name: str) -> fx.Node:
        """A result, with the shape and strides of the original."""
        now = self.get(name)
        a = was.meta.get("val")
        b = now.meta.get("val") if isinstance(now, fx.Node) else None
        if not isinstance(a, torch.Tensor) or _same_layout(a, b):
            return now
        if (isinstance(b, torch.Tensor) and a.dtype == b.dtype
                and a.dim() == b.dim()
                and all(_is_same(x, y) for x, y in zip(a.shape, b.shape))
                and all(isinstance(s, int) for s in a.stride())):
            order = sorted(range(a.dim()), key=lambda d: -a.stride(d))
            if a.permute(order).is_contiguous():
                return self.with_order(now, order, was)
        raise Error(f"moe-opt: expected result {was.name} as it was, "
                    f"{get_type(a)} with strides {a.stride()}, got {name}")

    def with_order(self, x: fx.Node, order: List[int],
                   like: fx.Node) -> fx.Node:
        """A copy whose dims are in another order in memory, outermost first."""
        if order == sorted(order):
            return self.dense(x, like, always=True)
        turned = self.call(_ATEN.permute.default, x, order, like=like)
        turned = self.dense(turned, like, always=True)
        back = [order.index(d) for d in range(len(order))]
        return self.call(_ATEN.permute.default, turned, back, like=like)

    def erase_unread(self, output: fx.Node) -> None:
        """Erases nodes that no result needs. Waits count as side effects in
        PyTorch, so dead code elimination would keep unused collectives."""
        needed: Set[fx.Node] = set()
        work = [output]
        work += [node for node in self.graph.nodes
                 if node.op == "placeholder"
                 or (node.op == "call_function" and node.is_impure()
                     and node.target is not _WAIT
                     and not is_collective(node))]
        while work:
            node = work.pop()
            if node not in needed:
                needed.add(node)
                work += node.all_input_nodes
        for node in reversed(list(self.graph.nodes)):
            if node not in needed:
                self.graph.erase_node(node)


def _returns_tensor(target: Any) -> bool:
    returns = target._schema.returns
    return len(returns) == 1 and isinstance(returns[0].type, torch.TensorType)


def _to_builtin(type_: str) -> str:
    """`tensor<2x?xi64>` of `!torch.vtensor<[2,?],si64>`."""
    if not type_.startswith("!torch.vtensor<["):
        return type_
    sizes, _, element = type_[len("!torch.vtensor<["):-1].partition("],")
    element = element.replace("si", "i").replace("ui", "i")
    return ("tensor<" + "".join(s + "x" for s in sizes.split(",") if s)
            + element + ">")


def _nodes(value: Any) -> List[fx.Node]:
    found: List[fx.Node] = []
    fx.map_arg(value, found.append)
    return found


def _has_node(value: Any) -> bool:
    return bool(_nodes(value))


def _place(target: Any, values: List[Any], positional: int) -> Any:
    """Splits the arguments of a schema into positional and keyword arguments,
    and omits defaults."""
    args: List[Any] = []
    kwargs: Dict[str, Any] = {}
    for i, (argument, value) in enumerate(zip(target._schema.arguments,
                                              values)):
        if isinstance(value, int) and "ScalarType" in str(argument.real_type):
            value = get_dtype(value)
        if not argument.kwarg_only and i < max(positional, 1) \
                and i == len(args):
            args.append(value)
        elif value is not None and not (argument.has_default_value() and
                                        value == argument.default_value):
            kwargs[argument.name] = value
    return args, kwargs


def find_groups(function: parse.Function) -> List[str]:
    """The rank lists of the groups in a text, in order of first use."""
    strings = {op.results[0]: op.attributes.get("value")
               for op in function.ops if op.name == "torch.constant.str"}
    found: List[str] = []
    for op in function.ops:
        if op.name.startswith(("torch.moe.", "torch._c10d_functional.")):
            for operand in op.operands:
                text = strings.get(operand)
                if (isinstance(text, str) and text.startswith("[[")
                        and text not in found):
                    found.append(text)
    return found


def apply(gm: fx.GraphModule, program: Program, text: str, groups: Groups,
          decompositions: Decompositions) -> fx.GraphModule:
    """The graph of `text`, the result of passes on `program`, the text of `gm`.
    Decomposes the ops that passes created. Raises an `Error` if its inputs or
    outputs differ from the original."""
    return _Builder(gm, program, groups, decompositions).run(parse.parse(text))


def replace_in_place(graph: fx.Graph, by: fx.Graph) -> None:
    """Makes a graph equal to another one."""
    for node in reversed(list(graph.nodes)):
        graph.erase_node(node)
    old = next(node for node in by.nodes if node.op == "output")
    returned = graph.graph_copy(by, {})
    output = graph.output(returned)
    output.meta = dict(old.meta)
