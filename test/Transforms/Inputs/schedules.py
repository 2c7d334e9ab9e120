#!/usr/bin/env python3
"""Compiles a training step in the schedules of SPEC FS-11 and prints moe-sim's
time of each, relative to tutel, and the planners' predictions of the parts that
they plan: schedules.py STEP PLATFORM WORK-FILE. Exits with 1 if `best` is
slower than `fsmoe`, or a plan is not of the simulation's order of magnitude."""

import json
import re
import subprocess
import sys

NAMES = ["deepspeed", "tutel", "tutel-improved", "lina", "fsmoe-no-iio",
         "fsmoe", "best"]
PLANNED = NAMES[4:]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


def main():
    step, platform, work = sys.argv[1:]
    times, planned = {}, {}
    for name in NAMES:
        remarks = run("moe-opt", step, "-o", work,
                      f"--moe-compile=to=schedule platform={platform} "
                      f"schedule={name}",
                      "--remarks-full",
                      "--remarks-filter=moe-(choose-degree|partition.*)").stderr
        times[name] = json.loads(
            run("moe-sim", work, "--json").stdout)["makespan_us"]
        forward = [float(us) for us in re.findall(
            r"layer \S+ fwd: .*\btime_us=([-+.e0-9]+)", remarks)]
        backward = re.findall(r"backward_us=([-+.e0-9]+)", remarks)
        # `best` may use a strategy for each layer separately.
        if name in PLANNED and (backward or name != "best"):
            planned[name] = sum(forward) + float(backward[0])
    for name in NAMES:
        line = f"{name:15} {times[name]:12.1f} us"
        line += f"  {times['tutel'] / times[name]:.3f} over tutel"
        if name in planned:
            line += f"  planned {planned[name]:.1f} us"
        print(line)
    slower = times["best"] > times["fsmoe"] * (1 + 1e-9)
    print("best is", "slower than" if slower else "as fast as", "fsmoe")
    far = [name for name in planned
           if not 0.5 < planned[name] / times[name] < 1.2]
    for name in far:
        print(f"the plan of {name} is far from its simulation")
    return 1 if slower or far else 0


sys.exit(main())
