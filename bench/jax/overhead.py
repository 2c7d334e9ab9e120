#!/usr/bin/env python3
"""Measures the overhead of calling an optimized function compared with jax.jit.

usage: overhead.py [--pairs=N] [--tolerance=PERCENT]

Calls both for a padded MoE layer on eight CPU devices, sized so that a call
takes about a millisecond. The calls alternate, N times each, with arguments on
their devices, and each is waited for. `optimize` gets no pass, so both run the
same program and only the call differs. Prints the medians and the median of the
differences. Exit code 1 if the latter exceeds PERCENT of jax.jit's median.

Run by a Python with JAX, with moe_mlir on its path.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/jax/Inputs"))

import layers

import jax

import moe_mlir


def main():
    parser = argparse.ArgumentParser(description="overhead of optimize")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--tolerance", type=float, default=5)
    options = parser.parse_args()
    if options.pairs < 1:
        sys.exit(f"overhead.py: expected at least 1 pair, got {options.pairs}")

    layers.HIDDEN = 512
    mesh = layers.make_mesh()
    arguments = layers.make_arguments(mesh)
    plain = jax.jit(layers.psum(mesh))
    made = moe_mlir.optimize(layers.psum(mesh), pipeline="", strict=True)
    count = [made.explain(*arguments).collectives_after.get(kind, 0)
             for kind in ("all_to_all", "all_gather")]
    assert count == [2, 0], count

    def measure(function):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return (time.perf_counter() - start) * 1e6

    for _ in range(50):
        measure(plain), measure(made)
    pairs = []
    for i in range(options.pairs):
        # Each is called first equally often.
        if i % 2:
            second, first = measure(made), measure(plain)
        else:
            first, second = measure(plain), measure(made)
        pairs.append((first, second))
    before = statistics.median(a for a, _ in pairs)
    after = statistics.median(b for _, b in pairs)
    more = statistics.median(b - a for a, b in pairs)
    print(f"JAX {jax.__version__}, {options.pairs} pairs, "
          f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"jax.jit            {before:8.1f} us")
    print(f"moe_mlir.optimize  {after:8.1f} us")
    print(f"median difference  {more:8.1f} us, {100 * more / before:.1f} %")
    if more > before * options.tolerance / 100:
        sys.exit(f"expected at most {options.tolerance} %")


if __name__ == "__main__":
    main()
