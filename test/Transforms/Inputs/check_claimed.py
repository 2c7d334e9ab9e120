"""Compares a pass's predicted time of a program with moe-sim's for its output.

check_claimed.py PROGRAM:POLICY:PLATFORM...: the first `us` of the remarks must
be the makespan, to the digits that remarks have.
"""
import json
import re
import subprocess
import sys

for case in sys.argv[1:]:
    program, policy, platform = case.split(":")
    subprocess.run(
        ["moe-opt", program, "-o", "out.mlir",
         "--remarks-filter=moe-insert-circuits", "--remark-format=yaml",
         "--remarks-output-file=remarks.yaml",
         f"--moe-compile=to=schedule platform={platform} circuits={policy}"],
        check=True)
    claimed = float(re.search(r"^  - us: +'?([0-9.e+]+)",
                              open("remarks.yaml").read(), re.M).group(1))
    simulated = subprocess.run(
        ["moe-sim", "out.mlir", f"--platform={platform}", "--json"],
        check=True, stdout=subprocess.PIPE).stdout
    makespan = json.loads(simulated)["makespan_us"]
    assert abs(claimed / makespan - 1) < 1e-6, (case, claimed, makespan)
    changes = open("out.mlir").read().count("ocs.reconfigure")
    print(f"{case} {changes} changes, same")
