"""Runs the commands that a sweep prints for its layouts, and checks that moe-sim
says what their rows say, but for what the commands leave out.

usage: run-commands.py SWEEP [LAYOUTS]
"""

import json
import subprocess
import sys

with open(sys.argv[1]) as file:
    layouts = json.load(file)["layouts"]
number = int(sys.argv[2]) if len(sys.argv) > 2 else len(layouts)
if len(layouts) < number or not layouts:
    sys.exit(f"{len(layouts)} layouts, expected {number}")
for layout in layouts[:: max(1, len(layouts) // number)][:number]:
    said = subprocess.run(layout["commands"] + " --json", shell=True,
                          capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(layout["commands"] + "\n" + said.stderr)
    answer = json.loads(said.stdout)
    us = answer["stages"]["step_us"] if "stages" in answer else answer["makespan_us"]
    says = layout["step_us"] - layout["commands_leave_out_us"]
    if abs(us / says - 1) > 0.01:
        sys.exit(f"{layout['commands']}\n{us} us, and the row {says}")
print(f"{number} rows are what their commands say")
