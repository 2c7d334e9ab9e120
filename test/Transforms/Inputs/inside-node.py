"""Where a layer's all-to-alls stay inside nodes, the links there are what is said to
change its form; on a platform with such links it does.

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
said = run("moe-opt", module, "-o", "/dev/null", "--remarks-full",
           f"--moe-compile=to=choose platform={platform}",
           "--remarks-filter=moe-select-strategy")
chunks = re.search(r"whole layer in (\d+) chunks takes", said)[1]
match = re.search(r"baseline is as fast with (\w+) at (\S+) GB/s instead of "
                  r"(\S+) \(chunks as they are\)", said)
if not match:
    sys.exit(f"expected links with which the baseline is as fast, got {said}")
with open(platform) as file:
    machine = json.load(file)
level = machine["levels"][0]
if level["name"] != match[1] or float(match[3]) != level["bandwidth_GBps"]:
    sys.exit(f"expected the innermost level, got {match[0]}")


def take(form, bandwidth):
    level["bandwidth_GBps"] = bandwidth
    path = f"{folder}/platform.json"
    with open(path, "w") as file:
        json.dump(machine, file)
    run("moe-opt", module, "-o", f"{folder}/out.mlir",
        f"--moe-compile=to=schedule platform={path} {form}")
    return json.loads(run("moe-sim", f"{folder}/out.mlir", "--json"))[
        "makespan_us"]


for factor in (0.98, 1.02):
    bandwidth = float(match[2]) * factor
    faster = (take("strategy=baseline", bandwidth) <
              take(f"degree={chunks}", bandwidth))
    if faster != (factor > 1):
        sys.exit(f"{match[0]}: at {bandwidth} the baseline is "
                 f"{'' if faster else 'not '}faster")
print(f"{match[1]} of {match[3]} GB/s: the form changes where it is said to")
