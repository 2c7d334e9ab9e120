"""Names of the inputs of a graph, and the mesh axes that replicate them."""

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from torch import fx

from .._library import Error

#: The user's name for the gradients of the results; `grad.0` is one of them.
GRADIENTS = "grad"


def get_source_names(gm: fx.GraphModule) -> List[str]:
    """The name in the program of each input of a Dynamo graph: `x`,
    `experts.w1`."""
    names = []
    for node in gm.graph.nodes:
        if node.op != "placeholder":
            continue
        source = getattr(node.meta.get("grapharg"), "source", None)
        name = getattr(source, "name", None)
        names.append(_simplify(name() if callable(name) else name)
                     if name is not None else node.name)
    return names


def _simplify(name: str) -> str:
    """Maps `L['self']._modules['experts']._parameters['w1']` to `experts.w1`."""
    name = re.sub(r"\._(?:modules|parameters|buffers)\[", "[", name)
    parts = re.findall(r"\['([^']*)'\]|\[(\d+)\]|\.?([A-Za-z_]\w*)", name)
    words = [next(filter(None, part)) for part in parts if any(part)]
    if words[:1] in (["L"], ["G"]):
        words = words[1:]
    return ".".join(words[1:] if words[:1] == ["self"] else words)


def get_placed(inputs: Sequence[Any]) -> Tuple[Optional[Any], List[List[str]]]:
    """The mesh of the inputs that are DTensors, and for each input the axes with
    the placement `Replicate`."""
    try:
        from torch.distributed.tensor import DTensor
    except ImportError:
        return None, [[] for _ in inputs]
    mesh: Optional[Any] = None
    same: List[List[str]] = []
    for value in inputs:
        if not isinstance(value, DTensor) \
                or value.device_mesh.mesh_dim_names is None:
            same.append([])
            continue
        of = value.device_mesh
        same.append([name for name, placement in
                     zip(of.mesh_dim_names, value.placements)
                     if placement.is_replicate()])
        if mesh is None or of.ndim > mesh.ndim:
            mesh = of
    return mesh, same


def _find_input(desc: Any) -> Optional[int]:
    """The index of the input that a placeholder belongs to."""
    while desc is not None:
        if hasattr(desc, "idx") and "Input" in type(desc).__name__:
            return desc.idx
        desc = getattr(desc, "base", None)
    return None


def _find_output(desc: Any) -> Optional[int]:
    output = getattr(desc, "output", None)
    while output is not None:
        if hasattr(output, "idx"):
            return output.idx
        output = getattr(output, "base", None)
    return None


def find_inputs(gm: fx.GraphModule, count: int) -> Tuple[
        Dict[str, int], Dict[str, Optional[int]]]:
    """Maps placeholders of AOTAutograd's graph to the indices of inputs, of which
    there are `count`, and placeholders of gradients to the indices of results."""
    primals: Dict[str, int] = {}
    tangents: Dict[str, Optional[int]] = {}
    others: List[fx.Node] = []
    for node in gm.graph.nodes:
        if node.op != "placeholder":
            continue
        desc = node.meta.get("desc")
        if node.name.startswith("tangents") or "Tangent" in type(desc).__name__:
            tangents[node.name] = _find_output(desc)
            continue
        number = _find_input(desc)
        if number is not None and number < count:
            primals[node.name] = number
        others.append(node)
    if not primals and len(others) == count:
        primals = {node.name: i for i, node in enumerate(others)}
    return primals, tangents


def name_replicated(gm: fx.GraphModule, names: Sequence[str],
                    placed: Sequence[Sequence[str]],
                    replicated: Mapping[str, Sequence[str]]
                    ) -> Dict[str, List[str]]:
    """Maps axes to the placeholders that they replicate, from placements and the
    user's names. The sizes of a replicated input are replicated too. Raises an
    `Error` for an unknown name."""
    primals, tangents = find_inputs(gm, len(names))
    result: Dict[str, List[str]] = {}
    for place, number in primals.items():
        for axis in placed[number]:
            result.setdefault(axis, []).append(place)
    for axis, given in replicated.items():
        for name in given:
            found = [place for place, number in primals.items()
                     if re.fullmatch(re.escape(name) + r"(\.(size|stride)\.\d+)?",
                                     names[number])]
            if name == GRADIENTS:
                found += list(tangents)
            elif name.startswith(GRADIENTS + "."):
                found += [place for place, number in tangents.items()
                          if str(number) == name[len(GRADIENTS) + 1:]]
            elif not found and name not in names:
                raise Error(
                    f"replicated: expected names of inputs "
                    f"({', '.join(names)}), or '{GRADIENTS}' for the gradients "
                    f"that come in, got '{name}'")
            result.setdefault(axis, []).extend(
                place for place in found
                if place not in result.get(axis, []))
    return result


def is_joint(gm: fx.GraphModule) -> bool:
    return any(node.op == "placeholder" and node.name.startswith("tangents")
               for node in gm.graph.nodes)


