"""Shared by the JAX and PyTorch frontends: running moe-opt on the text of a
program, and explanations and plans of the result."""

import dataclasses
import json
import os
import re
import subprocess
import tempfile
from typing import (Callable, Dict, List, Mapping, Optional, Sequence, Tuple,
                    Union)

from ._library import Error, find_tool

#: The default pipeline: replicated data are sent by one rank.
DEFAULT_PIPELINE = ("moe-decompose-all-to-all",)
#: Longest run of moe-opt, in seconds.
TIMEOUT = 600

Pipeline = Union[str, Sequence[str]]


@dataclasses.dataclass(frozen=True)
class Remark:
    """A remark or a warning about a line of the program; lines start at 1, and 0 is
    the whole program."""

    line: int
    text: str
    #: The pass of a remark, and the values in its text by their names.
    source: str = ""
    arguments: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


class OptimizeWarning(UserWarning):
    """A function runs unchanged; the message has the reason."""


_COLLECTIVES = ("all_to_all", "all_gather", "all_reduce", "reduce_scatter",
                "collective_permute")


@dataclasses.dataclass(frozen=True)
class Explanation:
    """The text of a function before and after, the number of collectives of each
    kind, and the remarks of passes."""

    before: str
    after: str
    collectives_before: Dict[str, int]
    collectives_after: Dict[str, int]
    remarks: List[str]

    def __str__(self) -> str:
        lines = [f"{kind}: {self.collectives_before.get(kind, 0)} -> "
                 f"{self.collectives_after.get(kind, 0)}"
                 for kind in _COLLECTIVES
                 if self.collectives_before.get(kind)
                 or self.collectives_after.get(kind)]
        return "\n".join(lines + self.remarks)


def count_collectives(text: str, dialect: str) -> Dict[str, int]:
    """Counts the collectives of a text by kind. `dialect` is the prefix of op
    names; `"torch._c10d_functional.all_gather_into_tensor"`, for example, counts
    as an all_gather."""
    return {kind: len(re.findall(rf'"{re.escape(dialect)}{kind}\w*"', text))
            for kind in _COLLECTIVES}


def split_passes(pipeline: str) -> List[str]:
    """Splits a pipeline into options of moe-opt, one per pass:
    `pass{one=1 two=2}` becomes `pass=one=1 two=2`. Raises an `Error` for a brace
    without its counterpart."""
    if re.search(r"[{}]", re.sub(r"\{[^{}]*\}", "", pipeline)):
        raise Error("pipeline: expected each { of the options of a pass to be "
                    f"closed by a }}, got '{pipeline}'")
    words = re.findall(r"[^\s{]+(?:\{[^{}]*\})?", pipeline)
    return [re.sub(r"\{\s*([^{}]*?)\s*\}$", r"=\1", word).rstrip("=")
            for word in words]


def get_passes(pipeline: Optional[Pipeline],
               platform: Optional[str]) -> List[str]:
    """The passes of a pipeline, or of the default one, after the pass that loads
    the platform."""
    if pipeline is None:
        pipeline = DEFAULT_PIPELINE
    passes = (split_passes(pipeline) if isinstance(pipeline, str)
              else list(pipeline))
    if platform is not None:
        passes.insert(0, f"moe-load-platform=file={platform}")
    return passes


def needs_layers(passes: Sequence[str]) -> bool:
    """Whether a pass works on `moe.layer` ops."""
    return any(p.startswith("moe-compile") or "scope=layer" in p
               for p in passes)


def run_tool(text: str, read: str, passes: Sequence[str], write: str,
             tool: Optional[str] = None) -> Tuple[str, List[Remark]]:
    """Runs moe-opt with the passes `read`, `passes` and `write` on generic text.
    Returns the new text and the remarks. Raises an `Error` with moe-opt's
    message."""
    with tempfile.TemporaryDirectory() as folder:
        records = os.path.join(folder, "remarks")
        command = [tool or find_tool(), "-", f"--{read}",
                   *(f"--{p}" for p in passes), f"--{write}",
                   "--mlir-print-op-generic", "--remarks-filter=moe-.*",
                   f"--remarks-records={records}"]
        try:
            done = subprocess.run(command, input=text, capture_output=True,
                                  text=True, timeout=TIMEOUT, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Error(f"moe-opt: {error}") from error
        if done.returncode:
            said = re.findall(r"error: .*", done.stderr)
            raise Error("moe-opt: " + (said[0] if said
                                       else done.stderr.strip()[:500]
                                       or f"exit code {done.returncode}"))
        return done.stdout, _read_remarks(records)


def _read_remarks(path: str) -> List[Remark]:
    if not os.path.exists(path):  # a tool that has made no remarks
        return []
    made = []
    with open(path, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            # A warning keeps its prefix: it reports communication that is not read.
            is_warning = record["kind"] == "warning"
            made.append(Remark(
                record.get("line", 0),
                ("warning: " if is_warning else "") + record["text"],
                record.get("pass", ""), record.get("arguments", {})))
    return made


@dataclasses.dataclass(frozen=True)
class FunctionExchange:
    """An all-to-all of a function, and its replacement."""

    #: Index among the all-to-alls, in program order.
    number: int
    #: `all_to_all` or `ragged_all_to_all`.
    kind: str
    #: The user's mark (`moe_mlir.layer`).
    layer: Optional[str]
    #: The shape of a device's operand, before.
    shape: List[int]
    #: The groups, as the program spells them.
    groups: str
    #: `baseline`, `o1` (each datum is sent once), `chunked`, `o3` (both), `2dh`
    #: (in two steps), or `removed`.
    form: str
    #: The number of chunks.
    degree: int
    #: The dims that are sliced, and the mesh axes over which the operand is
    #: replicated.
    dim: List[int]
    axes: List[str]
    #: Bytes of a device's operands, including its own part; 0 if a size is
    #: computed at run time.
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
        if self.bytes_before == 0 and self.form != "removed":
            return f"{text}, sizes computed at run time"
        return f"{text}, {self.bytes_before} -> {self.bytes_after} bytes"


@dataclasses.dataclass(frozen=True)
class FunctionPlan:
    """The plan of a function's exchanges."""

    exchanges: List[FunctionExchange]
    #: Remarks about the whole program.
    why: List[str]

    def __str__(self) -> str:
        return "\n".join(line for one in self.exchanges
                         for line in (str(one), *("  " + w for w in one.why)))


def describe_exchange(number: int, kind: str, layer: Optional[str],
                      shape: Sequence[int], groups: str, bytes_before: int,
                      after: Sequence[Tuple[str, int]],
                      why: Sequence[Remark]) -> FunctionExchange:
    """Describes an exchange. `after` has the groups and bytes of the exchanges
    that replace it, and `why` the remarks about its line."""
    part = next((said.arguments for said in why
                 if said.source == "moe-decompose-all-to-all"
                 and "dim" in said.arguments), None)
    pieces: Dict[str, int] = {}
    for of, _ in after:
        pieces[of] = pieces.get(of, 0) + 1
    degree = max(pieces.values(), default=0)
    if not after:
        form = "removed"
    elif len(pieces) > 1:
        form = "2dh"
    elif part is not None:
        form = "o3" if degree > 1 else "o1"
    else:
        form = "chunked" if degree > 1 else "baseline"
    return FunctionExchange(
        number=number, kind=kind, layer=layer, shape=list(shape),
        groups=groups, form=form, degree=degree,
        dim=[int(d) for d in part["dim"].split(",")] if part else [],
        axes=part["axes"].split(",") if part else [], bytes_before=bytes_before,
        bytes_after=sum(sent for _, sent in after), why=list(map(str, why)))


#: Maps a text to the rewritten text and the remarks.
Rewrite = Callable[[str], Tuple[str, List[Remark]]]
