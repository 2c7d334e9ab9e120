#!/usr/bin/env python3
"""Checks the simulated step of the schedule `megatron` against others:
megatron.py MEGATRON DEEPSPEED BEST, each a file of `moe-sim --json`. Exits with
1 if a relation does not hold."""

import json
import sys


def main():
    megatron, deepspeed, best = [
        json.load(open(path)) for path in sys.argv[1:]]
    us = megatron["makespan_us"]
    if us >= deepspeed["makespan_us"]:
        sys.exit(f"expected less than {deepspeed['makespan_us']} us, got {us}")
    print("megatron takes less than deepspeed")
    if us < best["makespan_us"] or us < megatron["lower_bound_us"]:
        sys.exit(f"expected at least {best['makespan_us']} us and "
                 f"{megatron['lower_bound_us']} us, got {us}")
    print("no less than best and its lower bound")
    streams = {stream["name"]: stream["busy_us"]
               for stream in megatron["streams"]}
    # Without overlap the all-reduces would add all their time.
    others = us - streams["inter_gradients"]
    if others >= streams["compute"]:
        sys.exit("expected all-reduces of gradients beside other tasks, got "
                 f"{streams} in {us} us")
    print("its gradients overlap with the backward pass")


main()
