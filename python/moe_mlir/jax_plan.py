"""What becomes of each exchange of a JAX function.

Exchanges are numbered by an attribute that passes carry along, and found again by
it in the program that comes back: that an exchange is sent in four pieces is
counted there. Reasons are what passes said of the line that the exchange is on.
"""

import dataclasses
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from jax.extend.mlir import ir
from jax.interpreters import mlir as jax_mlir

#: What XLA keeps of an op's attributes.
FRONTEND = "mhlo.frontend_attributes"
_MARK = "moe_exchange"
#: What moe-decompose-all-to-all says of an exchange that sends parts.
_PART = re.compile(r'axes="?([^" ]*?)"?(?:, |$).*?dim="?([\d,]*\d)')

#: A line of the program, and what a pass said of it.
Remark = Tuple[int, str]


@dataclasses.dataclass(frozen=True)
class FunctionExchange:
    """An all-to-all of a function, and what becomes of it."""

    #: Its place among all of them, in the order of the program.
    number: int
    #: `all_to_all` or `ragged_all_to_all`.
    kind: str
    #: As `moe_mlir.layer` named what it is in.
    layer: Optional[str]
    #: Of what a device sends, before.
    shape: List[int]
    #: The groups that exchange, as the program has them.
    groups: str
    #: `baseline`, `o1` (each datum is sent once), `chunked`, `o3` (both), `2dh`
    #: (in two steps), or `removed`.
    form: str
    #: In how many pieces it is sent.
    degree: int
    #: Along which dims a device sends its part, and the axes of the mesh whose
    #: devices hold the same.
    dim: List[int]
    axes: List[str]
    #: Of what a device sends, with what it keeps for itself.
    bytes_before: int
    bytes_after: int
    why: List[str]

    def __str__(self) -> str:
        text = f"{self.number}: {self.layer or self.kind}: {self.form}"
        if self.degree > 1:
            text += f" in {self.degree} chunks"
        if self.dim:
            text += (f", dim {', '.join(map(str, self.dim))} over "
                     f"{', '.join(self.axes)}")
        return f"{text}, {self.bytes_before} -> {self.bytes_after} bytes"


@dataclasses.dataclass(frozen=True)
class FunctionPlan:
    """What becomes of a function's exchanges."""

    exchanges: List[FunctionExchange]
    #: What passes said of the program as a whole.
    why: List[str]

    def __str__(self) -> str:
        return "\n".join(line for one in self.exchanges
                         for line in (str(one), *("  " + w for w in one.why)))


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


def _form(ops: Sequence[Any], has_parts: bool) -> Tuple[str, int]:
    """What an exchange has become, and in how many pieces it is sent."""
    pieces: Dict[str, int] = {}
    for op in ops:
        pieces[_groups(op)] = pieces.get(_groups(op), 0) + 1
    degree = max(pieces.values(), default=0)
    if not ops:
        return "removed", 0
    if len(pieces) > 1:
        return "2dh", degree
    if has_parts:
        return ("o3" if degree > 1 else "o1"), degree
    return ("chunked" if degree > 1 else "baseline"), degree


def make_plan(text: str,
              rewrite: Callable[[str], Tuple[str, List[Remark]]]) -> FunctionPlan:
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
            why = [said for line, said in remarks if line == lines[number]]
            part = next((_PART.search(said) for said in why
                         if "sends each datum once" in said), None)
            ops = after.get(number, [])
            form, degree = _form(ops, part is not None)
            layer = _marks(op).get("moe_layer")
            made.append(FunctionExchange(
                number=number, kind=str(_kind(op)),
                layer=ir.StringAttr(layer).value if layer else None,
                shape=list(ir.RankedTensorType(op.operands[0].type).shape),
                groups=_groups(op), form=form, degree=degree,
                dim=[int(d) for d in part[2].split(",")] if part else [],
                axes=part[1].split(",") if part else [],
                bytes_before=_bytes(op), bytes_after=sum(map(_bytes, ops)),
                why=why))
        return FunctionPlan(made, [said for line, said in remarks
                                   if line not in lines.values()])
