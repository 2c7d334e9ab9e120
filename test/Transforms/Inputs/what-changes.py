"""What is said to change the choice of a layer's form, on random platforms: the
platform that is said is made, and there the choice changes, within 1 %.

usage: what-changes.py CONFIG FOLDER COUNT

Layers are not cut into chunks, so that all platforms choose among the same
forms. Levels have bandwidths, measured lines, or lines for some collectives.
"""

import json
import random
import re
import sys

from drawn_platforms import draw, list_crossovers, run, scale

config, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def choose_form(platform, module):
    path = f"{folder}/platform.json"
    json.dump(platform, open(path, "w"))
    remarks = run("moe-opt", module, "-o", "/dev/null",
                  f"--moe-compile=to=choose platform={path} degree=1",
                  "--remarks-full", "--remarks-filter=moe-select-strategy")
    text = re.search(r"layer [^:]+: (.*)", remarks)[1]
    return re.match(r"(.*?) takes ", text)[1].split(": ")[-1], text


random_source = random.Random(7)
module = f"{folder}/layer.mlir"
crossovers = measured = 0
for i in range(count):
    run("moe-translate", "--import-hf-config", config, "--ep", "4", "--tp", "4",
        "--micro-batch", "1", "--seq-len",
        str(random_source.choice([128, 512, 2048])), "--layers", "1", "-o",
        module)
    platform = draw(random_source)
    chosen, text = choose_form(platform, module)
    for other, factor, is_factor in list_crossovers(text, "chunks as they are"):
        beyond = factor * (1.01 if factor > 1 else 1 / 1.01)
        before = factor / (1.01 if factor > 1 else 1 / 1.01)
        crossovers += 1
        measured += is_factor
        there = choose_form(scale(platform, beyond), module)[0]
        if there == chosen:
            sys.exit(f"{other}: still {chosen} at {beyond}\n"
                     f"{json.dumps(platform)}")
        if (factor > 1) == (before > 1):
            here = choose_form(scale(platform, before), module)[0]
            if here != chosen:
                sys.exit(f"{other}: already {here} at {before}\n"
                         f"{json.dumps(platform)}")
print(f"{crossovers} crossovers, {measured} of them on measured lines or "
      "several levels: all where they are said to be")
