"""Each flag that a planner writes has a row in `moe-plan flags`: written-flags.py CONFIG"""
import json
import re
import subprocess
import sys

SIZE = [f"--config={sys.argv[1]}", "--seq-len=4096", "--flags", "--json"]
JOBS = [
    ["--tp=2", "--ep=8", "--dp=2", "--pp=4", "--virtual-stages=2", "--zero=1",
     "--optimizer-bytes=8", "--recompute=selective", "--recompute-modules=moe_act",
     "--global-batch=64"],
    ["--tp=2", "--ep=8", "--esp=1", "--cp=2", "--recompute=full", "--capacity-factor=1.5",
     "--routing=padded", "--dtype=f16"],
    ["--ep=8", "--pp=7"], ["--ep=8", "--pp=5"],
    ["--ep=8", "--zero=1", "--precision=mxfp8", "--fp8-param-gather"],
    ["--ep=8", "--zero=1", "--precision=nvfp4", "--fp8-param-gather"],
]
rows = json.loads(subprocess.run(["moe-plan", "flags", "--json"], check=True, text=True,
                                 capture_output=True).stdout)["flags"]
known = {re.split("[ =]", row["flag"])[0] for row in rows
         if row["framework"].startswith("Megatron")}
written = set()


def collect(command):
    run = subprocess.run(command, text=True, capture_output=True, check=False)
    assert run.returncode == 0, (command, run.stderr)
    for text in re.findall(r'"flags": "([^"]*)"', run.stdout):
        written.update(word for word in text.split() if word.startswith("--"))


for job in JOBS:
    collect(["moe-plan", "memory", "--parallelism=megatron", *SIZE, *job])
for dispatcher, overlap in ("deepep", "1f1b-delayed"), ("hybridep", "none"):
    collect(["moe-plan", "sweep", "--parallelism=megatron", *SIZE, "--micro-batch=1",
             "--platform=dgx-b200-measured", "--ranks=16", "--tp=1", "--pp=1", "--cp=1",
             f"--dispatcher={dispatcher}", f"--overlap={overlap}", "--routing=dropless"])
assert len(written) > 25, sorted(written)
assert not written - known, sorted(written - known)
print(f"written flags: {len(written)}, all with a row")
