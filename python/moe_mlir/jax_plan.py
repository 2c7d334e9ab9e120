"""The treatment of each exchange of a JAX function.

Exchanges are numbered by an attribute that passes keep. It identifies them in the
rewritten program, where, for example, the pieces of an exchange are counted. The
reasons are the remarks of passes at the line of the exchange.
"""

import re
from typing import Any, Dict, List, Optional

from jax.extend.mlir import ir
from jax.interpreters import mlir as jax_mlir

from .rewriting import FunctionPlan, Rewrite, describe_exchange

#: The attribute of ops that XLA keeps.
FRONTEND = "mhlo.frontend_attributes"
_MARK = "moe_exchange"

def _kind(op: Any) -> Optional[str]:
    if op.name == "stablehlo.all_to_all":
        return "all_to_all"
    if (op.name == "stablehlo.custom_call" and "ragged_all_to_all" in
            str(op.attributes["call_target_name"])):
        return "ragged_all_to_all"
    return None


def _marks(op: Any) -> Dict[str, Any]:
    if FRONTEND not in op.attributes:
        return {}
    return {named.name: named.attr
            for named in ir.DictAttr(op.attributes[FRONTEND])}


def _exchanges(module: Any) -> List[Any]:
    found: List[Any] = []

    def visit(op: Any) -> Any:
        if _kind(op):
            found.append(op.operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _bytes(op: Any) -> int:
    type_ = ir.RankedTensorType(op.operands[0].type)
    count = 1
    for size in type_.shape:
        count *= size
    width = re.search(r"\d+", str(type_.element_type))
    return count * -(-int(width[0] if width else 8) // 8)


def _groups(op: Any) -> str:
    attributes = op.attributes
    if "replica_groups" not in attributes:
        attributes = {named.name: named.attr for named in
                      ir.DictAttr(attributes["backend_config"])}
    text = str(attributes["replica_groups"])
    lists = re.search(r"dense<(.*?)>", text)
    return lists[1] if lists else ", ".join(
        re.findall(r'axis_ref<name = "(.*?)"', text)) or text


def make_plan(text: str, rewrite: Rewrite) -> FunctionPlan:
    """The plan of a program in generic text, of which `rewrite` makes another."""
    with jax_mlir.make_ir_context():
        module = ir.Module.parse(text)
        before = _exchanges(module)
        for number, op in enumerate(before):
            op.attributes[FRONTEND] = ir.DictAttr.get(
                {**_marks(op), _MARK: ir.StringAttr.get(str(number))})
        marked = module.operation.get_asm(print_generic_op_form=True)
        changed, remarks = rewrite(marked)
        lines = {int(match[1]): at
                 for at, line in enumerate(marked.split("\n"), 1)
                 for match in [re.search(_MARK + r' = "(\d+)"', line)] if match}
        after: Dict[int, List[Any]] = {}
        back = ir.Module.parse(changed)
        for op in _exchanges(back):
            marks = _marks(op)
            if _MARK in marks:
                number = int(ir.StringAttr(marks[_MARK]).value)
                after.setdefault(number, []).append(op)

        made = []
        for number, op in enumerate(before):
            why = [said for said in remarks if said.line == lines[number]]
            layer = _marks(op).get("moe_layer")
            made.append(describe_exchange(
                number, str(_kind(op)),
                ir.StringAttr(layer).value if layer else None,
                ir.RankedTensorType(op.operands[0].type).shape, _groups(op),
                _bytes(op),
                [(_groups(one), _bytes(one)) for one in after.get(number, [])],
                why))
        return FunctionPlan(made, [str(said) for said in remarks
                                   if said.line not in lines.values()])
