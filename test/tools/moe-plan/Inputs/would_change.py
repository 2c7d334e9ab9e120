"""Checks what a sweep says would change its choice of a dispatcher.

usage: would_change.py PLATFORM CONFIG TEMPORARY

Makes the platform's dispatcher `kernel` slow, reads at which share of its time it
would be as fast as the all-to-all, and changes the platform to a bit less and a bit
more than that.
"""

import json
import re
import subprocess
import sys

platform, config, temporary = sys.argv[1:]
with open(platform) as file:
    made = json.load(file)


def sweep(factor):
    slow = json.loads(json.dumps(made))
    slow["dispatchers"][0]["permutes"] = True
    for line in slow["dispatchers"][0]["lines"]:
        for part in ("dispatch", "combine"):
            line[part + "_start_us"] *= factor
            line[part + "_GBps"] /= factor
    with open(temporary, "w") as file:
        json.dump(slow, file)
    run = subprocess.run(
        ["moe-plan", "sweep", f"--platform={temporary}", f"--config={config}",
         "--micro-batch=1", "--seq-len=1024", "--ranks=8", "--dp=1", "--pp=2",
         "--tp=1", "--num-micro-batches=8", "--memory-gb=1000", "--dispatcher=all",
         "--json"], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    return json.loads(run.stdout)["layouts"][0]


row = sweep(5)
if row["dispatcher"] != "all-to-all":
    sys.exit(f"expected all-to-all beside a slow kernel, got {row}")
change, = row["would_change"]
found = re.fullmatch(r"kernel without overlap is as fast if its exchanges take "
                     r"([0-9.]+) times as long as predicted", change)
factor = 5 * float(found.group(1))
for near, expected in ((0.97, "kernel"), (1.03, "all-to-all")):
    row = sweep(factor * near)
    if row["dispatcher"] != expected:
        sys.exit(f"{near} x {factor}: expected {expected}, got {row}")
    if [one["dispatcher"] for one in row["alternatives"]][0] != expected:
        sys.exit(f"expected {expected} as the first alternative, got {row}")
print("changes:", factor)
