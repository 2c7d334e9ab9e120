"""A parser for the generic text of `moe-opt --convert-moe-to-torch`: one function
without nested regions, one op per line."""

import dataclasses
import re
from typing import Any, Dict, List, Optional, Tuple

from .._library import Error


@dataclasses.dataclass
class Op:
    """An op, with its string, number and unit attributes."""

    name: str
    results: List[str]
    operands: List[str]
    attributes: Dict[str, Any]
    types: List[str]


@dataclasses.dataclass
class Function:
    """The function @main."""

    arguments: List[str]
    ops: List[Op]
    returned: List[str]


_OP = re.compile(r'\s*(?:(%[\w$.]+)(?::(\d+))? = )?"([^"]+)"\(([^)]*)\)(.*)$')
_ATTRIBUTE = re.compile(
    r'([\w.]+)(?: = ("(?:[^"\\]|\\.)*"|true|false|0x[0-9A-F]+|'
    r'-?\d[\w.+-]*))?(?: : \w+)?(?=, |$)')


def split(text: str) -> List[str]:
    """Splits at commas outside of brackets."""
    items, depth, start, is_quoted = [], 0, 0, False
    for i, char in enumerate(text):
        if char == '"' and text[i - 1:i] != "\\":
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and text[i - 1:i] != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            items.append(text[start:i].strip())
            start = i + 1
    tail = text[start:].strip()
    return items + [tail] if tail else items


def get_shape(type_: str) -> Optional[List[Optional[int]]]:
    """The sizes of a tensor, with None for unknown sizes; None for other
    types."""
    match = re.fullmatch(r"tensor<((?:(?:\d+|\?)x)*)[^x]\S*>", type_)
    if match is None:
        return None
    return [None if size == "?" else int(size)
            for size in match[1].split("x")[:-1]]


def _unquote(text: str) -> str:
    return re.sub(r"\\([0-9A-F]{2}|.)",
                  lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1],
                  text[1:-1])


def _read_float(text: str) -> float:
    if text.startswith("0x"):
        import struct
        return struct.unpack(">d", bytes.fromhex(text[2:].zfill(16)))[0]
    return float(text)


def _read_attributes(text: str) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for item in split(text):
        match = _ATTRIBUTE.fullmatch(item)
        if match is None:
            continue
        name, value = match[1], match[2]
        if value is None:
            found[name] = True
        elif value.startswith('"'):
            found[name] = _unquote(value)
        elif value in ("true", "false"):
            found[name] = value == "true"
        elif ": f" in item or "." in value or value.startswith("0x"):
            found[name] = _read_float(value)
        else:
            found[name] = int(value)
    return found


def _balanced(text: str, opening: str, closing: str) -> Tuple[str, str]:
    """The text inside of the leading brackets, and the rest."""
    depth, i, is_quoted = 0, 0, False
    while i < len(text):
        if text[i] == '"' and text[i - 1:i] != "\\":
            is_quoted = not is_quoted
        elif not is_quoted and text.startswith(opening, i):
            depth += 1
        elif not is_quoted and text.startswith(closing, i):
            depth -= 1
            if depth == 0:
                return text[len(opening):i], text[i + len(closing):]
        i += 1
    raise Error(f"moe-opt: expected {closing} in {text[:80]!r}")


def _read_op(line: str) -> Op:
    match = _OP.match(line)
    if match is None:
        raise Error(f"moe-opt: expected an op of one line, got {line[:120]!r}")
    name, count, kind, operands, rest = match.groups()
    results = [] if name is None else [name] if count is None \
        else [f"{name}#{i}" for i in range(int(count))]
    attributes: Dict[str, Any] = {}
    rest = rest.lstrip()
    if rest.startswith("<{"):
        inside, rest = _balanced(rest, "<{", "}>")
        attributes.update(_read_attributes(inside))
    rest = rest.lstrip()
    if rest.startswith("{"):
        inside, rest = _balanced(rest, "{", "}")
        attributes.update(_read_attributes(inside))
    to = rest.rpartition(" -> ")[2].strip()
    types = split(to[1:-1]) if to.startswith("(") else [to]
    return Op(kind, results, [o.strip() for o in operands.split(",") if o],
              attributes, types)


def parse(text: str) -> Function:
    """Reads the function @main of a module. Raises an `Error` for other text."""
    lines = text.split("\n")
    if not lines[0].startswith('"builtin.module"'):
        raise Error("moe-opt: expected a module of generic text, got "
                    f"{lines[0][:80]!r}")
    starts = [i for i, line in enumerate(lines) if '"func.func"()' in line]
    if len(starts) != 1 or 'sym_name = "main"' not in lines[starts[0]]:
        raise Error("moe-opt: expected one function @main, got "
                    f"{len(starts)} functions")
    at = starts[0] + 1
    arguments: List[str] = []
    if lines[at].lstrip().startswith("^bb0"):
        inside, _ = _balanced(lines[at].lstrip()[4:], "(", ")")
        arguments = [item.split(":")[0] for item in split(inside)]
        at += 1
    ops: List[Op] = []
    for line in lines[at:]:
        if line.strip().startswith('"func.return"'):
            return Function(arguments, ops, _read_op(line).operands)
        ops.append(_read_op(line))
    raise Error("moe-opt: expected @main to end, got no return")
