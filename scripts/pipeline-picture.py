#!/usr/bin/env python3
"""Prints docs/pictures/pipeline.svg: from a model to a checked, timed program.

usage: pipeline-picture.py [--check FILE]

With --check, compares FILE with the picture instead.

The picture has a light background of its own because an image cannot follow the theme
of the page around it. Labels have at least 20 of its 900 units, so that they stay
readable when the picture is 390 pixels wide. Boxes leave room for wide fonts.
"""

import html
import pathlib
import sys

WIDTH, HEIGHT = 900, 360
INK, FAINT, LINE = "#1c2128", "#57606a", "#6e7781"
# (fill, border) of each kind of box.
INPUT = ("#f0f2f4", "#8c959f")
PROGRAM = ("#ddeafb", "#2f6fb7")
PHASE = ("#ffffff", "#2f6fb7")
TIME = ("#fdf0d5", "#b7791f")
RUN = ("#ece6f9", "#7a5cc0")
CHECK = ("#dcf3e3", "#2e8b57")

DESCRIPTION = (
    "A config.json, a JAX program or a PyTorch program becomes a moe program. The "
    "compile phases choose, decompose, pipeline, schedule and, optionally, circuits "
    "rewrite it for a platform. moe-sim predicts the step time of the result. LLVM and "
    "libmoert run it on CPUs, MPI and NCCL. The interpreter checks that it equals the "
    "original program.")


def text(x, y, label, size=20, fill=INK, bold=False, anchor="middle"):
    weight = ' font-weight="600"' if bold else ""
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{weight} '
            f'text-anchor="{anchor}">{html.escape(label)}</text>')


def box(x, y, width, height, colors, title, *lines, dashed=False):
    """A box with a title in bold and further lines, centred."""
    fill, border = colors
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    yield (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" '
           f'fill="{fill}" stroke="{border}" stroke-width="1.5"{dashes}/>')
    middle = y + height / 2 - 12 * len(lines)
    yield text(x + width / 2, middle + 8, title, 22, bold=bool(lines))
    for number, line in enumerate(lines, 1):
        yield text(x + width / 2, middle + 7 + 25 * number, line)


def arrow(*points, dashed=False):
    """A line through the points with a head at the last one."""
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    path = "M" + " L".join(f"{x} {y}" for x, y in points)
    return (f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="2"{dashes} '
            'marker-end="url(#head)"/>')


def draw():
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" role="img" '
           'aria-labelledby="title description" '
           'font-family="Helvetica, Arial, sans-serif">')
    yield '<title id="title">The pipeline of moe-mlir</title>'
    yield f'<desc id="description">{html.escape(DESCRIPTION)}</desc>'
    yield ('<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" '
           'markerWidth="5" markerHeight="5" orient="auto">'
           f'<path d="M0 0 L8 4 L0 8 z" fill="{LINE}"/></marker></defs>')
    yield (f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="12" '
           'fill="#ffffff" stroke="#d0d7de"/>')

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
    yield "</svg>"


def main(arguments):
    picture = "\n".join(draw()) + "\n"
    match arguments:
        case []:
            sys.stdout.write(picture)
        case ["--check", path]:
            if pathlib.Path(path).read_text() != picture:
                sys.exit(
                    f"{path} is stale: scripts/pipeline-picture.py draws another "
                    "picture\nrun scripts/pictures.sh BIN, where BIN holds moe-sim, "
                    "and commit docs/pictures")
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
