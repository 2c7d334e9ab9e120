#!/usr/bin/env python3
"""Checks that schedules overlap as predicted, with emulated operations of at
least 5 ms.

  overlap.py PROGRAM PLATFORM BOUND

Compiles the program's all-to-alls in MoNTA's variants, predicts them with
moe-sim, executes them on the backend host with each task taking the platform's
time, and prints both makespans. Exit code 1 if a measured makespan (the least
of 9) differs from the predicted one by a factor of more than BOUND, or is not
below the sum of the tasks' times.
"""
import json
import os
import subprocess
import sys
import tempfile

program, platform, bound = sys.argv[1], sys.argv[2], float(sys.argv[3])
FORMS = {
    "o1": ["--moe-decompose-all-to-all"],
    "o2": ["--moe-decompose-all-to-all", "--moe-pipeline=degree=4 copies=intra"],
    "o3": ["--moe-decompose-all-to-all", "--moe-pipeline=degree=4 copies=own"],
}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


failed = False
print("form  tasks  shortest ms  one by one ms  predicted ms  measured ms  ratio")
with tempfile.TemporaryDirectory() as folder:
    path, trace = os.path.join(folder, "f.mlir"), os.path.join(folder, "t.json")
    for form, passes in FORMS.items():
        run("moe-opt", program, "-o", path, *passes)
        sim = json.loads(run("moe-sim", path, "--platform=" + platform,
                             "--json", "--trace=" + trace))
        durations = [e["dur"] / 1e3 for e in json.load(open(trace))["traceEvents"]
                     if e["ph"] == "X" and e["dur"] > 0]
        if min(durations) < 5:
            sys.exit(f"{form}: an operation of {min(durations)} ms")
        words = run("moe-run", path, "--backend=host", "--repeat=9",
                    "--emulate=" + platform).split()
        measured = float(words[words.index("min") + 1]) / 1e3
        predicted = sim["makespan_us"] / 1e3
        print(f"{form:4} {len(durations):6} {min(durations):12.1f} "
              f"{sum(durations):14.1f} {predicted:13.1f} {measured:12.1f} "
              f"{measured / predicted:6.3f}")
        failed |= not 1 / bound <= measured / predicted <= bound
        # o1 runs the tasks one by one; a pipeline must be faster.
        failed |= form != "o1" and not measured < sum(durations) * 0.9
sys.exit(1 if failed else 0)
