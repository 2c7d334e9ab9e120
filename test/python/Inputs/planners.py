"""Asks each planner from Python and from the command line, and compares."""

import json
import os
import pathlib
import re
import subprocess
import sys
import warnings

import moe_mlir

configs, folder = map(pathlib.Path, sys.argv[1:3])
bin = pathlib.Path(os.environ["MOE_OPT"]).parent
os.chdir(folder)


def run(tool, *arguments):
    return subprocess.run([bin / tool, *arguments], capture_output=True, text=True)


trace = moe_mlir.ask_planner("traffic", generate="zipf", ranks=2, experts=4,
                             tokens=64, top_k=2, layers=2, steps=4)
pathlib.Path("trace.json").write_text(json.dumps(trace))
pathlib.Path("demand.json").write_text('{"matrix": [[0, 4], [4, 0]]}')
pathlib.Path("layers.json").write_text(json.dumps(
    {"layers": [{"gradient_elements": 1000, "overlappable_dense_us": 10.0}]}))
mixtral = str(configs / "mixtral-8x7b.json")
questions = {
    "all-to-all": dict(platform="fsmoe-b", bytes=1 << 26, ep=8, tp=4),
    "circuits": dict(demand="demand.json", optical_degree=2, eps_nics=1,
                     planes=True),
    "collective": dict(platform="dgx-h100", kind="all-reduce", bytes=1 << 20, ranks=8),
    "conflicts": dict(platform="dgx-h100", tp=8, ep=4, cp=2, pp=2, dp=2),
    "cost": dict(servers=4),
    "degree": dict(platform="fsmoe-b", config=mixtral, ep=2, tp=4, phase="fwd",
                   seq_len=4096, micro_batch=1),
    "dispatch": dict(platform="fsmoe-b", topology="[2,2]", tokens=64, top_k=2,
                     experts=4, bytes_per_token=64),
    "dispatch-kernel": dict(platform="dgx-h100-measured", dispatcher="deepep", ranks=8,
                            tokens=4096, hidden_size=4096, experts=64, top_k=4),
    "expand": dict(ep=8, cp=2, tp=4),
    "fabric": dict(traffic="trace.json", bytes_per_token=1024, fabric="fat-tree",
                   ranks_per_server=1),
    "flags": dict(parallelism="megatron"),
    "gemm": dict(platform="dgx-h100-measured", m=4096, n=1024, k=2048, experts=4),
    "gradients": dict(platform="fsmoe-b", input="layers.json"),
    "job": dict(model="llama-moe", gpus=64, fabric="fat-tree"),
    "limits": {},
    "memory": dict(config=mixtral, ep=8, tp=2, seq_len=4096),
    "predict": dict(traffic="trace.json"),
    "step": dict(platform="dgx-h100-measured", config=mixtral, ranks=8, ep=8,
                 seq_len=4096, micro_batch=1, layers=2, recompute="selective",
                 parallelism="megatron", cuda_graphs=True, compare=True),
    "sweep": dict(config=mixtral, platform="dgx-h100", ranks=8, seq_len=4096,
                  micro_batch=1, layers=1, tp=8),
    "traffic": dict(input="trace.json"),
}
planners = {entry["planner"]: entry for entry in moe_mlir.list_planners()}
assert sorted(questions) == list(planners), list(planners)
for name, options in questions.items():
    arguments = [f"--{key.replace('_', '-')}={str(value).lower() if value is True else value}"
                 for key, value in options.items()]
    printed = run(planners[name]["tool"], name, "--json", *arguments)
    assert printed.stdout, printed.stderr
    answer = moe_mlir.ask_planner(name, **options)
    assert answer == json.loads(printed.stdout), name
print("equal:", *questions)
print("traffic:", moe_mlir.ask_planner("traffic", input="trace.json")["ranks"], "ranks")


def refuse(name, **options):
    try:
        moe_mlir.ask_planner(name, **options)
    except moe_mlir.Error as error:
        print(error)
    else:
        sys.exit(f"expected an error of {name}")


refuse("all")
refuse("all-to-all", platform="fsmoe-b", bites=1)
refuse("all-to-all", platform="fsmoe-b", bytes=-1, ep=8, tp=4)
refuse("memory", config=mixtral, fold_ep="maybe")
refuse("memory", config=mixtral, ep=[2, 4])
refuse("degree")

# A key that a config has twice is no error.
text = pathlib.Path(mixtral).read_text()
pathlib.Path("twice.json").write_text(
    text.replace("{", '{\n "hidden_size": 1,', 1))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    moe_mlir.ask_planner("memory", config="twice.json")
print("warning:", *[entry.message for entry in caught])

# One table: help shows the options of the list, and the tool's own.
OF_TOOL = {"json", "report", "csv", "svg", "save-traffic", "dot", "help",
           "help-list", "version", "help-hidden", "help-list-hidden"}
count = 0
for name, entry in planners.items():
    printed = run(entry["tool"], name, "--help").stdout
    printed = printed.split("Generic Options")[0]
    shown = set(re.findall(r"^  --?([\w-]+)", printed, re.M)) - OF_TOOL
    known = {option["name"] for option in entry["options"]}
    assert shown == known, (name, shown ^ known)
    count += len(known)
# Numbers have their ranges and units there.
listed = {option["name"]: option for option in planners["all-to-all"]["options"]}
assert listed["bytes"]["unit"] == "bytes", listed["bytes"]
assert listed["bytes"]["range"] == "an integer in [1, 9007199254740992]"
assert "range" not in listed["platform"]
print("options:", count, "of", len(planners), "planners")
