"""Checks a layer whose all-to-alls stay inside nodes: the remark must name the
links there as the ones that would change its variant, and a compilation for a
platform with such links must change it.

usage: inside-node.py CONFIG PLATFORM FOLDER
"""

import json
import re
import sys

from drawn_platforms import run

config, platform, folder = sys.argv[1:]
module = f"{folder}/layer.mlir"
run("moe-translate", "--import-hf-config", config, "--ep", "8", "--tp", "1",
    "--dp", "2", "--micro-batch", "1", "--seq-len", "4096", "--layers", "1",
    "-o", module)


def choose(path, *remarks):
    return run("moe-opt", module, f"--moe-compile=to=choose platform={path}",
               *remarks)


said = choose(platform, "--remarks-full", "--remarks-filter=moe-select-strategy")
match = re.search(r"baseline would be chosen with (\w+) at (\S+) GB/s instead of "
                  r"(\S+) \(compiled anew", said)
if not match:
    sys.exit(f"expected links with which the baseline is chosen, got {said}")
with open(platform) as file:
    machine = json.load(file)
level = machine["levels"][0]
if level["name"] != match[1] or float(match[3]) != level["bandwidth_GBps"]:
    sys.exit(f"expected the innermost level, got {match[0]}")
for factor in (0.98, 1.02):
    level["bandwidth_GBps"] = float(match[2]) * factor
    path = f"{folder}/platform.json"
    with open(path, "w") as file:
        json.dump(machine, file)
    is_chunked = re.search("layer_plan<.*chunks =", choose(path)) is not None
    if is_chunked != (factor < 1):
        sys.exit(f"{match[0]}: at {level['bandwidth_GBps']} the layer is "
                 f"{'' if is_chunked else 'not '}in chunks")
print(f"{match[1]} of {match[3]} GB/s: the form changes where it is said to")
