"""Random platforms, and the same with other links beyond the innermost level."""

import json
import re
import subprocess
import sys

# Wording of the links with which another choice is equally good.
LINKS = (r"(?:(\w+) at (\S+) GB/s instead of (\S+)|"
         r"\w+(?: and \w+)* (\S+) times as fast \(bandwidth_GBps times [^)]*\))")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
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


def list_crossovers(text, how):
    """(choice or faster alternative, the links' factor, whether it is given as
    a factor) for the sentences that contain `how`."""
    found = []
    for part in re.split(r"; ", text):
        match = re.search(rf"([^;]*?) would be {how} with " + LINKS + r" \(", part)
        if match:
            factor = (float(match[5]) if match[5] else
                      float(match[3]) / float(match[4]))
            found.append((match[1].strip(), factor, match[5] is not None))
        elif ((" times as fast" in part or "GB/s instead" in part)
              and "the choice is the same" not in part):
            sys.exit(f"cannot read: {part}")
    return found
