"""The order of a schedule in the program that XLA runs.

XLA may choose any order of ops without data dependences. For example, it may send
the last chunk of a pipeline first. Collectives of a schedule's tasks are numbered
by an attribute that XLA keeps. Before XLA orders a program, each collective gets
the previous one as its control predecessor, through the hook that jaxlib has from
0.10.2 on.
"""

import hashlib
import re
import warnings
from typing import Any, Dict, List, Optional, Tuple

from jax.extend.mlir import ir

from .jax_plan import FRONTEND

_COLLECTIVES = {"stablehlo.all_to_all", "stablehlo.all_gather",
                "stablehlo.all_reduce", "stablehlo.reduce_scatter",
                "stablehlo.collective_permute"}
_LINE = re.compile(r"^\s+(?:ROOT )?(%?[\w.\-]+) = (.*)$")
_OPCODE = re.compile(r" (?:all-to-all|all-gather|all-reduce|reduce-scatter|"
                     r"collective-permute)(?:-start)?\(")
_COMBINED = re.compile(r"^\s+(%[\w.\-]+) = \(.*?\) ([\w\-]+)\(([^()]*)\)"
                       r'(.*?), frontend_attributes=\{.*moe_order="[^"]*,')
_PART = re.compile(r"^(\s+(?:ROOT )?%[\w.\-]+ = \S+) get-tuple-element\("
                   r"(%[\w.\-]+)\), index=(\d+)(.*moe_order=.*)$")
_MARK = re.compile(r'moe_order="([0-9a-f]+)\.(\d+)"')

_state: Dict[str, Optional[bool]] = {"installed": None}


def is_available() -> bool:
    """Whether this jaxlib lets others look at programs before it orders them."""
    try:
        from jax.extend import xla
        from jaxlib import _hlo
        return (hasattr(xla, "register_hlo_module_transformation")
                and hasattr(_hlo, "hlo_module_from_text"))
    except ImportError:
        return False


def number(module: Any, text: str) -> int:
    """Numbers the collectives of tasks in the order of the text; how many. The
    number begins with a hash of the text, so that no cache of XLA's takes a
    program that was ordered otherwise for this one."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    count = 0

    def visit(op: Any) -> Any:
        nonlocal count
        if op.name in _COLLECTIVES and FRONTEND in op.attributes:
            marks = ir.DictAttr(op.attributes[FRONTEND])
            if "moe_task" in marks:
                every = {named.name: named.attr for named in marks}
                every["moe_order"] = ir.StringAttr.get(f"{digest}.{count}")
                op.attributes[FRONTEND] = ir.DictAttr.get(every)
                count += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return count


def install() -> bool:
    """Looks at programs from here on; whether that is possible."""
    if _state["installed"] is None:
        _state["installed"] = is_available()
        if _state["installed"]:
            from jax.extend import xla
            xla.register_hlo_module_transformation(
                _transform, name="moe_mlir_order",
                stage=xla.PipelineStage.PRE_SCHEDULER, platforms="cpu")
    return bool(_state["installed"])


def _transform(data: bytes) -> Optional[bytes]:
    from jaxlib import _hlo
    if b"moe_order" not in data:
        return None
    try:
        text = _hlo.HloModule.from_serialized_hlo_module_proto(data).to_string()
        ordered = order_text(text)
        if ordered is None:
            return None
        return (_hlo.hlo_module_from_text(ordered)
                .as_serialized_hlo_module_proto())
    except Exception as error:  # the program runs in XLA's own order
        warnings.warn(f"moe_mlir: XLA orders a schedule as it likes: {error}")
        return None


def order_text(text: str) -> Optional[str]:
    """HLO text with each numbered collective behind the one before it; None
    where there is nothing to order. A `ValueError` where data forbids it."""
    lines = text.splitlines()
    made: List[str] = []
    changed = False
    at = 0
    while at < len(lines):
        made.append(lines[at])
        if not lines[at].rstrip().endswith("{") or at == 0:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and not lines[end].startswith("}"):
            end += 1
        body, did = _order_body(_separate(lines[at + 1:end]))
        made += body
        changed |= did
        at = end
    return "\n".join(made) + "\n" if changed else None


def _separate(body: List[str]) -> List[str]:
    """Instructions that XLA has made one of apart again: each chunk would wait
    for the others'."""
    whole = {m[1]: m for m in map(_COMBINED.match, body) if m}
    parts = [m for m in map(_PART.match, body) if m and m[2] in whole]
    for name in list(whole):
        numbers = [int(m[3]) for m in parts if m[2] == name]
        uses = sum(bool(re.search(re.escape(name) + r"(?![\w.\-])", line))
                   for line in body) - 1
        if len(set(numbers)) != uses:  # read in another way, too
            del whole[name]
    made = []
    for line in body:
        part, own = _PART.match(line), _COMBINED.match(line)
        if part and part[2] in whole:
            one = whole[part[2]]
            operand = one[3].split(", ")[int(part[3])]
            line = f"{part[1]} {one[2]}({operand}){one[4]}{part[4]}"
        elif own and own[1] in whole:
            continue
        made.append(line)
    return made


def _order_body(body: List[str]) -> Tuple[List[str], bool]:
    names: Dict[str, int] = {}
    marked: List[Tuple[str, int, int]] = []
    for i, line in enumerate(body):
        match = _LINE.match(line)
        if not match:
            return body, False
        names[match[1]] = i
        mark = _MARK.search(line)
        if mark and _OPCODE.search(line):
            marked.append((mark[1], int(mark[2]), i))
    if len(marked) < 2:
        return body, False
    marked.sort()
    before = {b[2]: a[2] for a, b in zip(marked, marked[1:])
              if a[0] == b[0] and a[1] != b[1]}
    own = {i: name for name, i in names.items()}
    after: List[List[int]] = []
    for i, line in enumerate(body):
        used = re.findall(r"%[\w.\-]+", line.split(" = ", 1)[1])
        wanted = {names[name] for name in used if name in names} - {i}
        if i in before:
            wanted.add(before[i])
        after.append(sorted(wanted))

    made: List[str] = []
    state = [0] * len(body)
    for root in range(len(body)):
        stack = [(root, 0)]
        while stack:
            i, next_one = stack.pop()
            if state[i] == 2:
                continue
            state[i] = 1
            if next_one < len(after[i]):
                stack.append((i, next_one + 1))
                other = after[i][next_one]
                if state[other] == 1:
                    raise ValueError(f"{own[i]} would wait for itself")
                if state[other] == 0:
                    stack.append((other, 0))
                continue
            state[i] = 2
            made.append(_wait(body[i], own[before[i]]) if i in before
                        else body[i])
    return made, bool(before)


def _wait(line: str, name: str) -> str:
    """An instruction that waits for another one."""
    given = re.search(r"control-predecessors=\{([^}]*)\}", line)
    if given:
        return line.replace(given[0], "control-predecessors={" + given[1]
                            + ", " + name + "}")
    return re.sub(r"(, frontend_attributes=\{)",
                  ", control-predecessors={" + name.replace("\\", "")
                  + r"}\1", line, count=1)
