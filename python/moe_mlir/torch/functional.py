"""Replaces ops in place by functions, in graphs that PyTorch has not functionalized,
such as the graphs of `make_fx`.

An op in place is replaced if nothing else reads the memory that it writes: it must be
the only reader of a tensor that an op without views created, or of an input, into which
the result is copied at the end. Other ops in place stay.
"""

from typing import Any, Optional

import torch
from torch import fx

_COPY = torch.ops.aten.copy_.default


def _find_function(node: fx.Node) -> Optional[Any]:
    """The function with the result of an op that writes its first argument only."""
    target = node.target
    if (node.op != "call_function" or not isinstance(target, torch._ops.OpOverload)
            or not target._schema.is_mutable or target is _COPY
            or not node.args or not isinstance(node.args[0], fx.Node)):
        return None
    space, name = target._schema.name.split("::")
    written = [argument.alias_info is not None and argument.alias_info.is_write
               for argument in target._schema.arguments]
    packet = getattr(getattr(torch.ops, space), name.rstrip("_"), None)
    if (not name.endswith("_") or written.index(True) != 0 or sum(written) != 1
            or packet is None):
        return None
    return getattr(packet, target._overloadname, None)


def _is_fresh(node: fx.Node) -> bool:
    """Whether an op creates the memory of its result."""
    return (node.op == "call_function"
            and isinstance(node.target, torch._ops.OpOverload)
            and node.target.namespace in ("aten", "prims")
            and not node.target._schema.is_mutable
            and all(result.alias_info is None
                    for result in node.target._schema.returns)
            # These return their argument if there is nothing to do.
            and node.target._schema.name.split("::")[1] not in (
                "contiguous", "reshape", "to", "type_as"))


def _keeps_layout(node: fx.Node) -> bool:
    """Whether the result has the type and shape of the argument that it is written
    to."""
    of, made = node.args[0].meta.get("val"), node.meta.get("val")
    return (isinstance(of, torch.Tensor) and isinstance(made, torch.Tensor)
            and of.dtype == made.dtype and of.is_contiguous()
            and str(of.shape) == str(made.shape))


def functionalize(gm: fx.GraphModule) -> fx.GraphModule:
    """Returns a graph with the same results, or `gm` if it has no op to replace."""
    if all(_find_function(node) is None for node in gm.graph.nodes):
        return gm
    made = fx.GraphModule(gm, fx.Graph())
    made.graph = fx.Graph()
    returned = made.graph.graph_copy(gm.graph, copied := {})
    output = made.graph.output(returned)
    for old, new in copied.items():
        new.meta = dict(old.meta)
    output.meta = dict(next(n for n in gm.graph.nodes if n.op == "output").meta)
    made.meta = dict(gm.meta)
    for node in list(made.graph.nodes):
        function = _find_function(node)
        if function is None:
            continue
        base = node.args[0]
        if len(base.users) != 1 or not _keeps_layout(node):
            continue
        if base.op == "placeholder":
            with made.graph.inserting_before(output):
                copy = made.graph.call_function(_COPY, (base, node))
            copy.meta = {**node.meta, "val": base.meta.get("val")}
        elif not _is_fresh(base):
            continue
        node.target = function
    made.recompile()
    return made
