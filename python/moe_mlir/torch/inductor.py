"""Inductor's code for rewritten graphs.

Inductor keeps the order of collectives, but moves waits up to them to save memory.
Therefore a last pass adds control dependencies between collectives, waits and
matrix products.
"""

from typing import Any, Callable, List

import torch
import torch._functorch.config
from torch import fx
from torch._inductor.compile_fx import compile_fx
from torch._inductor.custom_graph_pass import CustomGraphPass

from .graph import Decompositions, replace_in_place
from .text import is_collective

_ATEN = torch.ops.aten
_PRODUCTS = {_ATEN.mm.default, _ATEN.bmm.default, _ATEN.addmm.default,
             _ATEN.baddbmm.default, _ATEN._grouped_mm.default}
_VIEWS = {_ATEN.permute.default, _ATEN.view.default, _ATEN.t.default,
          _ATEN.transpose.int}
_WAIT = torch.ops._c10d_functional.wait_tensor.default

Rewrite = Callable[[fx.GraphModule], fx.GraphModule]


class _Pass(CustomGraphPass):
    def uuid(self) -> Any:
        """No caching: a rank that takes its code from a cache would not answer
        the others."""
        return None


class _RewriteJoint(_Pass):
    def __init__(self, rewrite: Rewrite):
        self._rewrite = rewrite

    def __call__(self, graph: fx.Graph) -> None:
        module = graph.owning_module
        made = self._rewrite(module)
        if made is not module:
            replace_in_place(graph, made.graph)


def is_ordered(node: fx.Node) -> bool:
    """Whether Inductor must keep the position of a node relative to others."""
    return node.op == "call_function" and (
        is_collective(node) or node.target is _WAIT
        or node.target in _PRODUCTS)


def _keep_strides(product: fx.Node) -> None:
    """Makes Inductor write operands of a grouped product before it transposes them.
    It would write the transposed rows otherwise, with strides that the product
    rejects unless the number of rows is a multiple of 8."""
    for operand in product.args[:2]:
        while operand.target in _VIEWS:
            operand = operand.args[0]
        operand.meta["inductor_realize_to_strides"] = True


class _KeepOrder(_Pass):
    def __call__(self, graph: fx.Graph) -> None:
        from torch._inductor.fx_passes.control_dependencies import (
            preserve_node_ordering)
        from torch.utils._ordered_set import OrderedSet
        nodes: List[fx.Node] = [n for n in graph.nodes if is_ordered(n)]
        if not any(is_collective(node) for node in nodes):
            return
        for node in nodes:
            if node.target is _ATEN._grouped_mm.default:
                _keep_strides(node)
        preserve_node_ordering(graph, {
            node: OrderedSet([before])
            for before, node in zip(nodes, nodes[1:])
            if before not in node.all_input_nodes})


def get_decompositions() -> Decompositions:
    """The decompositions without which Inductor rejects ops."""
    from torch._inductor.decomposition import select_decomp_table
    return select_decomp_table()


def compile_with_inductor(gm: fx.GraphModule, example_inputs: Any,
                          rewrite: Rewrite) -> Any:
    """Compiles a graph of Dynamo, and calls `rewrite` for its joint graph."""
    # Without caches of graphs, as for `_Pass`. The ranks of a machine share the cache
    # of compiled kernels, so they compile each kernel once.
    with torch._functorch.config.patch(enable_autograd_cache=False):
        return compile_fx(gm, example_inputs, config_patches={
            "joint_custom_pre_pass": _RewriteJoint(rewrite),
            "post_grad_custom_post_pass": _KeepOrder(),
            "reorder_for_peak_memory": False,
            "fx_graph_cache": False,
        })
