"""What is said to change the choice of a layer's form, on random platforms: the
platform that is said is made, and there the choice changes, within 1 %.

usage: what-changes.py CONFIG FOLDER COUNT

Layers are not cut into chunks, so that all platforms choose among the same
forms. Levels have bandwidths, measured lines, or lines for some collectives.
"""

import json
import random
import re
import subprocess
import sys

config, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
SAID = re.compile(
    r"([^;]*?) is as fast with (?:(\w+) at (\S+) GB/s instead of (\S+)|"
    r"\w+(?: and \w+)* (\S+) times as fast \(bandwidth_GBps times [^)]*\))"
    r" \(chunks as they are\)")


def run(*command, text=None):
    done = subprocess.run(command, capture_output=True, text=True, input=text)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return done.stdout + done.stderr


def draw(choose):
    """Two or three levels; the outer ones with lines for none, some or all."""
    outer = choose.choice([1, 1, 2])
    levels = [{"name": "inner", "ranks": 4, "ranks_per_nic": 1,
               "bandwidth_GBps": choose.uniform(50, 400),
               "latency_us": choose.uniform(1, 10)}]
    for i in range(outer):
        level = {"name": f"outer{i}", "ranks": 8 * 2**i if outer > 1 else 16,
                 "ranks_per_nic": 1,
                 "bandwidth_GBps": choose.uniform(2, 60),
                 "latency_us": choose.uniform(5, 40)}
        measured = choose.sample(
            ["all_to_all", "all_gather", "reduce_scatter", "all_reduce"],
            choose.choice([0, 1, 4]))
        if measured:
            level["collectives"] = {
                name: {"alpha_us": choose.uniform(5, 50),
                       "beta_us_per_byte": 1e-3 / choose.uniform(1, 60)}
                for name in measured}
        levels.append(level)
    return {"name": "drawn", "levels": levels, "copy_bandwidth_GBps": 1000,
            "gemm_alpha_us": 5, "gemm_beta_us_per_mac": 3e-9}


def scale(platform, factor):
    scaled = json.loads(json.dumps(platform))
    for level in scaled["levels"][1:]:
        level["bandwidth_GBps"] *= factor
        for line in level.get("collectives", {}).values():
            line["beta_us_per_byte"] /= factor
    return scaled


def choose_form(platform, module):
    path = f"{folder}/platform.json"
    json.dump(platform, open(path, "w"))
    remarks = run("moe-opt", module, "-o", "/dev/null",
                  f"--moe-compile=to=choose platform={path} degree=1",
                  "--remarks-full", "--remarks-filter=moe-select-strategy")
    text = re.search(r"layer \S+: (.*)", remarks)[1]
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
    for part in text.split("; "):
        match = SAID.search(part)
        if not match:
            if " times as fast" in part or "GB/s instead" in part:
                if "changes this" not in part:
                    sys.exit(f"cannot read: {part}")
            continue
        other = match[1].strip()
        factor = float(match[5]) if match[5] else float(match[3]) / float(
            match[4])
        beyond = factor * (1.01 if factor > 1 else 1 / 1.01)
        before = factor / (1.01 if factor > 1 else 1 / 1.01)
        crossovers += 1
        measured += match[5] is not None
        there = choose_form(scale(platform, beyond), module)[0]
        if there == chosen:
            sys.exit(f"{part}: still {chosen} at {beyond}\n"
                     f"{json.dumps(platform)}")
        if (factor > 1) == (before > 1):
            here = choose_form(scale(platform, before), module)[0]
            if here != chosen:
                sys.exit(f"{part}: already {here} at {before}\n"
                         f"{json.dumps(platform)}")
print(f"{crossovers} crossovers, {measured} of them on measured lines or "
      "several levels: all where they are said to be")
