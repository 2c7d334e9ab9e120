"""Reads Chakra's execution traces back and prints their content.

usage: read_chakra.py FOLDER

Uses the wire format and the field numbers of Chakra's et_def.proto; if the
package mlc-chakra is installed, also its own classes.
"""

import collections
import json
import pathlib
import struct
import sys

COMP, COLLECTIVE = 4, 7
COLLECTIVES = {0: "all_reduce", 2: "all_gather", 6: "all_to_all",
               7: "reduce_scatter"}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def messages(data):
    at = 0
    while at < len(data):
        size, at = varint(data, at)
        assert at + size <= len(data), "a message ends behind the file"
        yield data[at:at + size]
        at += size


def fields(data):
    """{field: [value]}: numbers, or the bytes of delimited fields."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            assert tag & 7 == 2, tag
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        found[tag >> 3].append(value)
    return found


def numbers(packed):
    values = []
    for data in packed:
        at = 0
        while at < len(data):
            value, at = varint(data, at)
            values.append(value)
    return values


def attributes(list_of_bytes):
    result = {}
    for data in list_of_bytes:
        attribute = fields(data)
        (name,) = attribute.pop(1)
        (field, (value,)), = attribute.items()
        result[name.decode()] = value.decode() if field == 29 else value
    return result


def read(path):
    about, *nodes = messages(path.read_bytes())
    result = []
    for data in nodes:
        node = fields(data)
        result.append({
            "id": node[1][0], "name": node[2][0].decode(), "type": node[3][0],
            "order": numbers(node[4]), "data": numbers(node[5]),
            "start": node[6][0], "duration": node[7][0],
            **attributes(node[10])})
    about = fields(about)
    return {"version": about[1][0].decode(), **attributes(about[2])}, result


def read_by_package(path):
    """The same numbers, names and dependencies; None without the package."""
    try:
        from chakra.schema.protobuf import et_def_pb2 as et
    except ImportError as error:
        return f"skipped: {error}"
    about, *nodes = messages(path.read_bytes())
    et.GlobalMetadata.FromString(about)
    return [(n.id, n.name, n.type, list(n.ctrl_deps), list(n.data_deps),
             n.start_time_micros, n.duration_micros,
             {a.name: getattr(a, a.WhichOneof("value")) for a in n.attr})
            for n in map(et.Node.FromString, nodes)]


folder = pathlib.Path(sys.argv[1])
groups = json.loads((folder / "groups.json").read_text())
files = sorted(folder.glob("trace.*.et"),
               key=lambda p: int(p.name.split(".")[1]))
first = None
for rank, path in enumerate(files):
    about, nodes = read(path)
    assert about["rank"] == rank == int(path.name.split(".")[1]), path
    ends = {}
    for i, node in enumerate(nodes):
        assert node["id"] == i and node["type"] in (COMP, COLLECTIVE), node
        ends[i] = node["start"] + node["duration"]
    for node in nodes:
        # Whole microseconds.
        for before in node["order"] + node["data"]:
            assert ends[before] <= node["start"] + 1, (node, before)
        assert abs(node["duration"] - node["predicted_us"]) <= 1, node
        if node["type"] == COLLECTIVE:
            assert rank in groups[node["pg_name"]], node
            assert node["comm_size"] > 0, node
        else:
            assert "comm_type" not in node and "pg_name" not in node, node
    same = [{k: v for k, v in n.items() if k != "pg_name"} for n in nodes]
    first = first or same
    assert same == first, f"{path}: other nodes than rank 0"
    assert abs(max(ends.values()) - about["makespan_us"]) <= 1, about
    theirs = read_by_package(path)
    if not isinstance(theirs, str):
        assert theirs == [
            (n["id"], n["name"], n["type"], n["order"], n["data"], n["start"],
             n["duration"],
             {k: bool(v) if k == "is_cpu_op" else v for k, v in n.items()
              if k not in ("id", "name", "type", "order", "data", "start",
                           "duration")})
            for n in nodes], path
        theirs = "the same"
kinds = collections.Counter(COLLECTIVES[n["comm_type"]] for n in nodes
                            if n["type"] == COLLECTIVE)
print(f"version {about['version']}, platform {about['platform']}")
print(f"{len(files)} ranks, {len(groups)} groups, {len(nodes)} nodes")
for kind in sorted(kinds):
    sizes = sorted({n["comm_size"] for n in nodes
                    if n.get("comm_type", -1) >= 0
                    and COLLECTIVES[n["comm_type"]] == kind})
    print(f"{kind}: {kinds[kind]}, bytes {sizes}")
print(f"by the package mlc-chakra: {theirs}")
