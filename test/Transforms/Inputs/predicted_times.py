#!/usr/bin/env python3
"""Checks that moe-select-strategy simulates the schedule that moe-compile
emits.

usage: predicted_times.py MODULE PLATFORM TMP

MODULE has one layer. For each strategy and several chunk counts, the time and
peak memory of the remark must equal moe-sim's results for the schedule at the
end of the compilation. Requires moe-opt and moe-sim in PATH; TMP is a prefix
for files.
"""
import json
import re
import subprocess
import sys

FORMS = ["strategy=baseline", "strategy=o1", "degree=3"]
FORMS += [f"strategy={s} degree={n}" for s in ("o2", "o3", "hierarchical")
          for n in (2, 5, 7)]
FORMS += ["strategy=hierarchical degree=1", "strategy=auto"]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"predicted_times.py: {' '.join(command)} failed:\n"
                 + result.stderr)
    return result


def main():
    module, platform, tmp = sys.argv[1:]
    names = set()
    for form in FORMS:
        after = tmp + ".scheduled.mlir"
        remarks = run(
            "moe-opt", module, "-o", after, "--remarks-full",
            "--remarks-filter=moe-select.*",
            f"--moe-compile=to=schedule platform={platform} {form}").stderr
        found = re.findall(r"peak_bytes=(\d+).*strategy=(\S+), time_us=(\S+)",
                           remarks)
        if len(found) != 1:
            sys.exit(f"predicted_times.py: expected one remark of {form}, got\n"
                     + remarks)
        peak, name, us = found[0]
        names.add(name)
        simulated = json.loads(
            run("moe-sim", after, f"--platform={platform}", "--json").stdout)
        if abs(simulated["makespan_us"] - float(us)) > 1e-6 * float(us):
            sys.exit(f"predicted_times.py: {form}: expected {us} us as in the "
                     f"remark, got {simulated['makespan_us']}")
        if simulated["peak_bytes"] != int(peak):
            sys.exit(f"predicted_times.py: {form}: expected {peak} bytes as in "
                     f"the remark, got {simulated['peak_bytes']}")
    print(f"{len(FORMS)} times agree; chosen: {' '.join(sorted(names))}")


if __name__ == "__main__":
    main()
