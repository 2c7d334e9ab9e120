"""Plans as `moe-opt --moe-export-plan=file=plan.json` writes them.

docs/reference/plan.schema.json specifies them; the classes here are its objects.
"""

import dataclasses
import json
import os
import typing
from dataclasses import dataclass
from typing import Any, List, Optional, Union

VERSION = 1


@dataclass(frozen=True)
class Form:
    """The planned form of a layer."""

    name: str
    exchange: str
    degree: int
    sizes: List[int]
    copies: str
    drop_dim: Optional[int] = None
    scope: Optional[str] = None
    order: Optional[str] = None


@dataclass(frozen=True)
class Task:
    """One task of a layer, in the order in which tasks start."""

    task: str
    chunk: int
    stream: str
    start_us: float
    us: float


@dataclass(frozen=True)
class Exchange:
    """An exchange of a layer, of one rank."""

    kind: str
    group: str
    bound: str
    bytes: Optional[int] = None


@dataclass(frozen=True)
class Layer:
    """A layer in one phase."""

    layer: str
    phase: str
    dispatch: str
    circuit_changes: int
    start_us: float
    predicted_us: float
    order: List[Task]
    exchanges: List[Exchange]
    why: List[str]
    form: Optional[Form] = None


@dataclass(frozen=True)
class Stream:
    """A stream, and how long it is busy."""

    name: str
    resource: str
    busy_us: float


@dataclass(frozen=True)
class Mesh:
    """The ranks, the last axis fastest."""

    axes: List[str]
    shape: List[int]


@dataclass(frozen=True)
class Piece:
    """Elements of the gradient of `layer` that are sent during `beside_layer` (-1:
    after all layers)."""

    beside_layer: int
    layer: int
    elements: int


@dataclass(frozen=True)
class Plan:
    """The choices for a program, and its predicted time and memory."""

    version: int
    platform: str
    ranks: int
    schedule: str
    predicted_us: float
    lower_bound_us: float
    peak_bytes: int
    streams: List[Stream]
    layers: List[Layer]
    gradients: List[Piece]
    why: List[str]
    mesh: Optional[Mesh] = None

    @staticmethod
    def from_json(text: str) -> "Plan":
        """Reads a plan. Raises a `ValueError` with the place and the expected value."""
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"expected a plan as JSON, got: {error}") from None
        if isinstance(value, dict) and value.get("version") != VERSION:
            raise ValueError(f"version: expected {VERSION}, got "
                             f"{value.get('version')!r}")
        return _read(Plan, value, "plan")

    @staticmethod
    def load(path: "Union[str, os.PathLike[str]]") -> "Plan":
        """Reads a plan from a file."""
        with open(path, encoding="utf-8") as file:
            return Plan.from_json(file.read())

    def find(self, layer: str, phase: str = "fwd") -> Layer:
        """The layer of that name; a `KeyError` when there is none."""
        for one in self.layers:
            if one.layer == str(layer) and one.phase == phase:
                return one
        raise KeyError(f"{layer} {phase}")


def _read(kind: Any, value: Any, where: str) -> Any:
    """Converts a JSON value to a type; objects become dataclasses."""
    origin = typing.get_origin(kind)
    if origin is Union:
        return _read(typing.get_args(kind)[0], value, where)
    if origin is list:
        if not isinstance(value, list):
            raise ValueError(f"{where}: expected a list, got {value!r}")
        item = typing.get_args(kind)[0]
        return [_read(item, one, f"{where}[{i}]")
                for i, one in enumerate(value)]
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise ValueError(f"{where}: expected an object, got {value!r}")
        types = typing.get_type_hints(kind)
        known = {}
        for field in dataclasses.fields(kind):
            if field.name in value:
                known[field.name] = _read(types[field.name],
                                          value[field.name],
                                          f"{where}.{field.name}")
            elif field.default is dataclasses.MISSING:
                raise ValueError(f"{where}: expected the member "
                                 f"'{field.name}', got none")
        for key in value:
            if key not in types:
                raise ValueError(f"{where}: expected no member '{key}'")
        return kind(**known)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{where}: expected a value of type {kind.__name__}, "
                         f"got {value!r}")
    return value
