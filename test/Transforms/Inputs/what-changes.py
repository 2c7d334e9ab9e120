"""Checks the changes that a remark names for a layer's variant, on random
platforms: creates the named platform and compiles for it; there the choice must
change, within 1 %.

usage: what-changes.py CONFIG FOLDER COUNT

Variants are distinguished except for their number of chunks and the dim of
their slice, as rows of the remark are. Levels have bandwidths, measured fits,
or fits for some collectives.
"""

import json
import random
import re
import sys

from drawn_platforms import draw, list_crossovers, run, scale

config, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def choose_form(platform, module, *remarks):
    """The row of the layer's variant, and the remark's changes."""
    path = f"{folder}/platform.json"
    json.dump(platform, open(path, "w"))
    text = run("moe-opt", module, f"--moe-compile=to=choose platform={path}",
               *remarks)
    form = re.search(r"#moe\.layer_plan<([^>]*)>", text)[1]
    return re.sub(r"(chunks|slice) = \d+", r"\1", form), text


random_source = random.Random(7)
module = f"{folder}/layer.mlir"
crossovers = measured = 0
for i in range(count):
    run("moe-translate", "--import-hf-config", config, "--ep", "4", "--tp", "4",
        "--micro-batch", "1", "--seq-len",
        str(random_source.choice([128, 512, 2048])), "--layers", "1", "-o",
        module)
    platform = draw(random_source)
    chosen, text = choose_form(platform, module, "--remarks-full",
                               "--remarks-filter=moe-select-strategy")
    near = {True: chosen, False: chosen}
    for other, factor, is_factor in list_crossovers(text, "chosen"):
        beyond = factor * (1.01 if factor > 1 else 1 / 1.01)
        before = factor / (1.01 if factor > 1 else 1 / 1.01)
        crossovers += 1
        measured += is_factor
        there = choose_form(scale(platform, beyond), module)[0]
        # The choice up to here: of several changes, the one after the last.
        up_to_here, near[factor > 1] = near[factor > 1], there
        if there == up_to_here:
            sys.exit(f"{other}: still {there} at {beyond}\n"
                     f"{json.dumps(platform)}")
        if (factor > 1) == (before > 1):
            here = choose_form(scale(platform, before), module)[0]
            if here != up_to_here:
                sys.exit(f"{other}: already {here} at {before}\n"
                         f"{json.dumps(platform)}")
print(f"{crossovers} crossovers, {measured} of them on measured lines or "
      "several levels: all where they are said to be")
