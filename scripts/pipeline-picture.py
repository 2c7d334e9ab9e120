#!/usr/bin/env python3
"""Prints docs/pictures/pipeline.svg: from a model to a checked, timed program.

usage: pipeline-picture.py [--check FILE]

With --check, compares FILE with the picture instead.
"""

import pathlib
import sys

from drawing import (CHECK, FAINT, INPUT, PHASE, PROGRAM, RUN, TIME, arrow, box, picture,
                     text)

HEIGHT = 360

DESCRIPTION = (
    "A config.json, a JAX program or a PyTorch program becomes a moe program. The "
    "compile phases choose, decompose, pipeline, schedule and, optionally, circuits "
    "rewrite it for a platform. moe-sim predicts the step time of the result. LLVM and "
    "libmoert run it on CPUs, MPI and NCCL. The interpreter checks that it equals the "
    "original program.")


def draw():
    # Inputs, and the program that they become.
    for x, width, label in [(20, 148, "config.json"), (180, 100, "JAX"),
                            (292, 132, "PyTorch")]:
        yield from box(x, 22, width, 64, INPUT, label)
    yield arrow((430, 54), (480, 54))
    yield from box(486, 22, 394, 64, PROGRAM, "moe program",
                   "one program for all ranks")
    yield arrow((600, 87), (600, 118))

    # Compile phases, in order.
    fill, border = PROGRAM
    yield (f'<rect x="20" y="124" width="816" height="112" rx="8" fill="{fill}" '
           f'stroke="{border}" stroke-width="1.5"/>')
    yield text(36, 152, "Compile phases", 22, bold=True, anchor="start")
    yield text(820, 152, "fastest for your platform; circuits are optional",
               fill=FAINT, anchor="end")
    x = 36
    phases = [("choose", 118), ("decompose", 156), ("pipeline", 128),
              ("schedule", 136), ("circuits", 126)]
    for number, (label, width) in enumerate(phases):
        if number:
            yield arrow((x - 28, 194), (x - 4, 194))
        yield from box(x, 168, width, 52, PHASE, label, dashed=label == "circuits")
        x += width + 30

    # Uses of the result.
    for x in (158, 438, 716):
        yield arrow((x, 237), (x, 264))
    yield from box(20, 270, 276, 72, TIME, "moe-sim", "predicts the step time")
    yield from box(312, 270, 252, 72, RUN, "LLVM + libmoert", "CPU, MPI, NCCL")
    yield from box(580, 270, 300, 72, CHECK, "Interpreter", "equal to the original?")
    yield arrow((860, 87), (860, 264), dashed=True)


def main(arguments):
    drawn = picture(HEIGHT, "The pipeline of moe-mlir", DESCRIPTION, draw())
    match arguments:
        case []:
            sys.stdout.write(drawn)
        case ["--check", path]:
            if pathlib.Path(path).read_text() != drawn:
                sys.exit(
                    f"{path} is stale: scripts/pipeline-picture.py draws another "
                    "picture\nrun scripts/pictures.sh BIN, where BIN holds moe-sim, "
                    "and commit docs/pictures")
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
