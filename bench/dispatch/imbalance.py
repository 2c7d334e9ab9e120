#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the imbalance of measured routing, and the --imbalance that models it.

usage: imbalance.py COUNTS [--ep=8,16]

COUNTS is a JSON file of tokens per expert: {MODEL: {"expert_counts": {DOMAIN:
[[tokens of each expert] of each layer]}}}, made from the files
scripts/routing_output of allenai/OLMoE. Other keys are ignored.

The rank that receives most tokens determines the time of a layer, so
--imbalance is chosen such that this rank gets its measured share: with n of E
experts per rank and --imbalance=X it gets X + (n - 1) (E - X) / (E - 1) even
shares. Ranks hold neighboring experts, as in Megatron. Loads are means over
layers.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import mean


def get_rank_load(counts, ep):
    """Tokens of the busiest rank relative to an even share."""
    size = len(counts) // ep
    ranks = [sum(counts[i:i + size]) for i in range(0, len(counts), size)]
    return max(ranks) / mean(ranks)


def get_imbalance(load, experts, ep):
    """The busiest expert's load that gives its rank this load."""
    own = experts // ep
    return (load * own * (experts - 1) - (own - 1) * experts) / (experts - own)


def mix(layers):
    """Shares of a layer's experts if each domain sends as many tokens."""
    return [mean(count / sum(layer) for layer, count in zip(layers, counts))
            for counts in zip(*layers)]


def list_models(file):
    for model, data in json.loads(Path(file).read_text()).items():
        domains = data.get("expert_counts") if isinstance(data, dict) else None
        if isinstance(domains, dict):
            yield model, domains


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts")
    parser.add_argument("--ep", default="8", help="expert-parallel ranks, separated by commas")
    arguments = parser.parse_args()
    degrees = [int(word) for word in arguments.ep.split(",")]
    print("| model | ep | busiest rank, domains mixed | busiest rank, one domain | --imbalance |\n"
          "|---|---|---|---|---|")
    rows = 0
    for model, domains in list_models(arguments.counts):
        layers = list(zip(*domains.values()))
        experts = len(layers[0][0])
        for ep in degrees:
            if experts % ep or ep < 2:
                continue
            rows += 1
            mixed = mean(get_rank_load(mix(layer), ep) for layer in layers)
            alone = [mean(get_rank_load(counts, ep) for counts in domain)
                     for domain in domains.values()]
            print(f"| {model}, {experts} experts | {ep} | {mixed:.2f} | "
                  f"{min(alone):.2f} to {max(alone):.2f} | "
                  f"{get_imbalance(mixed, experts, ep):.2f} |")
    if not rows:
        sys.exit(f"imbalance.py: {arguments.counts}: expected a model with 'expert_counts' whose "
                 f"experts divide by --ep={arguments.ep}, got none")


if __name__ == "__main__":
    main()
