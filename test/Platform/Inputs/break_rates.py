"""Breaks one key of a platform after the other, and prints the errors.

usage: break_rates.py PLATFORM FILE
"""

import copy
import json
import subprocess
import sys

good = json.load(open(sys.argv[1]))


def kernels(platform):
    return platform["kernels"]


def set_to(place, key, value):
    def change(platform):
        place(platform)[key] = value
    return change


def drop(place, key):
    return lambda platform: place(platform).pop(key)


def twice(place):
    return lambda platform: place(platform).append(copy.deepcopy(place(platform)[0]))


def rename(platform):
    kernels(platform)["memory_gbps"] = kernels(platform).pop("memory_GBps")
    kernels(platform)["memory_GBps"] = 1


def whole(platform):
    return platform


def quantized(platform):
    return kernels(platform)["quantized"][0]


# One entry of 8-bit products, with the keys of the 16-bit ones.
kernels(good)["quantized"] = [{
    "precision": "mxfp8", "copies": 2, "quantize_GBps": 1000,
    "products": kernels(good)["products"], "grouped_products": kernels(good)["products"]}]

BREAKS = [
    set_to(kernels, "sms", 0),
    set_to(lambda p: kernels(p)["products"], "tflops", -1),
    set_to(lambda p: kernels(p)["products"], "partial_wave", 2),
    drop(kernels, "products"),
    set_to(quantized, "precision", "fp8"),
    set_to(quantized, "copies", 3),
    drop(quantized, "quantize_GBps"),
    twice(lambda p: kernels(p)["quantized"]),
    set_to(kernels, "attention", []),
    twice(lambda p: kernels(p)["attention"]),
    set_to(kernels, "overlap_cost", 3),
    drop(kernels, "memory_GBps"),
    rename,
    set_to(lambda p: p["dispatchers"][0], "name", "all-to-all"),
    lambda p: p["dispatchers"][0]["lines"].pop(0),
    twice(lambda p: p["dispatchers"]),
    set_to(lambda p: p["hosts"][0]["layers"][1], "tp", 1),
    set_to(lambda p: p["hosts"][0], "layers", []),
    set_to(lambda p: p["hosts"][1], "cuda_graphs", False),
    set_to(whole, "hidden_exchanges", 1.5),
    lambda p: (p.pop("hidden_exchanges"), p.update(hidden_exchanges_origin="x")),
]

for change in BREAKS:
    platform = copy.deepcopy(good)
    change(platform)
    with open(sys.argv[2], "w") as file:
        json.dump(platform, file)
    run = subprocess.run(["moe-plan", "gemm", f"--platform={sys.argv[2]}", "--m=1",
                          "--n=1", "--k=1"], capture_output=True, text=True, check=False)
    if run.returncode != 2 or run.stdout or run.stderr.count("\n") != 1:
        sys.exit(f"expected one line of error and exit code 2, got {run}")
    print(run.stderr, end="")
print("broken:", len(BREAKS))
