"""What is said to change the choice of a step's schedule, on random platforms:
both schedules are compiled, each alone, and simulated with links a little slower
and a little faster than is said: within 1 % the other one becomes the faster.

usage: what-changes-steps.py CONFIG FOLDER COUNT
"""

import json
import random
import re
import sys

from drawn_platforms import draw, list_crossovers, run, scale

config, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
step = f"{folder}/step.mlir"


def write(platform):
    path = f"{folder}/platform.json"
    with open(path, "w") as file:
        json.dump(platform, file)
    return path


def compile_as(schedule, path):
    """The step in a schedule that is planned for a platform: a file."""
    made = f"{folder}/{schedule}.mlir"
    text = run("moe-opt", step, "-o", made,
               f"--moe-compile=to=schedule platform={path} schedule={schedule}",
               "--remarks-full", "--remarks-filter=moe-choose-schedule")
    return made, text


def time(made, platform):
    return json.loads(run("moe-sim", made, f"--platform={write(platform)}",
                          "--json"))["makespan_us"]


source = random.Random(11)
crossovers = stays = 0
for _ in range(count):
    run("moe-translate", "--import-hf-config", config, "--phase", "train",
        "--ep", "4", "--tp", "4", "--micro-batch", "1", "--layers", "1",
        "--sequence-parallel", "--seq-len",
        str(source.choice([256, 1024, 4096])), "-o", step)
    platform = draw(source)
    platform["gemm_beta_us_per_mac"] *= source.choice([1, 0.1, 0.01])
    text = compile_as("best", write(platform))[1]
    chosen, rest = re.search(r"(\S+) is the fastest of ([^\n]*)", text).groups()
    chosen = chosen.removeprefix('Remark="')
    rest = rest.split("; ", 1)[-1]
    best = compile_as(chosen, write(platform))[0]
    stays += "changes this (both as planned" in rest
    for other, factor, _ in list_crossovers(rest, "faster"):
        made = compile_as(other, write(platform))[0]
        crossovers += 1
        for near, is_beyond in [(1.01, factor > 1), (1 / 1.01, factor < 1)]:
            there = scale(platform, factor * near)
            if (time(made, there) < time(best, there)) != is_beyond:
                sys.exit(f"{other} and {chosen} at {factor} times {near}: "
                         f"{time(made, there)} and {time(best, there)} us\n"
                         f"{json.dumps(platform)}")
print(f"{crossovers} crossovers of schedules where they are said to be, "
      f"{stays} steps that stay as they are")
