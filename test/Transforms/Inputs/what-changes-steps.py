"""Checks the changes that a remark names for a step's schedule, on random
platforms: creates the named platform and compiles the step for it; there the
choice must change, within 1 %, to the named one.

usage: what-changes-steps.py CONFIG FOLDER COUNT
"""

import json
import random
import re
import sys

from drawn_platforms import draw, list_crossovers, run, scale

config, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
step = f"{folder}/step.mlir"


def choose(platform, *remarks):
    """The schedule of the step on a platform, and the remark's changes."""
    path = f"{folder}/platform.json"
    with open(path, "w") as file:
        json.dump(platform, file)
    text = run("moe-opt", step,
               f"--moe-compile=to=choose platform={path} schedule=best", *remarks)
    return re.search(r'schedule = "?([a-z-]+)', text)[1], text


source = random.Random(11)
crossovers = stays = 0
for _ in range(count):
    run("moe-translate", "--import-hf-config", config, "--phase", "train",
        "--ep", "4", "--tp", "4", "--micro-batch", "1", "--layers", "1",
        "--sequence-parallel", "--seq-len",
        str(source.choice([256, 1024, 4096])), "-o", step)
    platform = draw(source)
    platform["gemm_beta_us_per_mac"] *= source.choice([1, 0.1, 0.01])
    chosen, text = choose(platform, "--remarks-full",
                          "--remarks-filter=moe-choose-schedule")
    rest = re.search(r'Remark="([^"]*)"', text)[1]
    if ", 0.0 us" in text:
        sys.exit(f"a step that takes no time: {text}")
    stays += "the choice is the same" in rest
    for other, factor, _ in list_crossovers(rest, "chosen"):
        crossovers += 1
        step_up = 1.012 if factor > 1 else 1 / 1.012
        for near, expected in [(step_up, other), (1 / step_up, chosen)]:
            found = choose(scale(platform, factor * near))[0]
            if (found == chosen) != (expected == chosen):
                sys.exit(f"expected {expected} at {factor} times {near}, got "
                         f"{found}\n{json.dumps(platform)}")
print(f"{crossovers} crossovers of schedules where they are said to be, "
      f"{stays} steps that stay as they are")
