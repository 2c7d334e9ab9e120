"""Checks a JSON file against a schema, as far as ours use JSON Schema.

usage: check_schema.py SCHEMA FILE
"""

import json
import sys


def check(schema, value, where):
    kinds = {"object": dict, "array": list, "string": str, "integer": int,
             "number": (int, float)}
    if "const" in schema and value != schema["const"]:
        sys.exit(f"{where}: expected {schema['const']!r}, got {value!r}")
    if "enum" in schema and value not in schema["enum"]:
        sys.exit(f"{where}: expected one of {schema['enum']}, got {value!r}")
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or isinstance(value, bool)):
        sys.exit(f"{where}: expected {kind}, got {value!r}")
    if "minimum" in schema and value < schema["minimum"]:
        sys.exit(f"{where}: expected at least {schema['minimum']}, got {value}")
    if kind == "array":
        for i, item in enumerate(value):
            check(schema["items"], item, f"{where}[{i}]")
    if kind == "object":
        for key in schema["required"]:
            if key not in value:
                sys.exit(f"{where}: expected the member '{key}'")
        for key, item in value.items():
            if key not in schema["properties"]:
                sys.exit(f"{where}: expected no member '{key}'")
            check(schema["properties"][key], item, f"{where}.{key}")


schema, plan = (json.load(open(path, encoding="utf-8"))
                for path in sys.argv[1:3])
check(schema, plan, "plan")
print("as the schema says,", len(plan["layers"]), "layers")
