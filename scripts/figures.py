#!/usr/bin/env python3
"""Draws figures of docs/pictures from the tools' numbers, and checks them.

usage: figures.py draw BIN FOLDER    all-to-all.svg, chunks.svg, accuracy.svg
       figures.py check BIN FOLDER   compares those in FOLDER with new ones

BIN holds moe-translate, moe-opt, moe-sim and moe-plan.

- all-to-all.svg shows one all-to-all in each compile phase. It has no numbers.
- chunks.svg shows the predicted time of a layer over its number of chunks.
- accuracy.svg shows predicted over published times of the rows of
  bench/accuracy/points.json.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from drawing import (CHECK, FAINT, INK, INPUT, PHASE, PROGRAM, RUN, TIME, arrow, box,
                     line, picture, text)

ROOT = pathlib.Path(__file__).resolve().parent.parent
RENEW = "run scripts/pictures.sh BIN, where BIN holds moe-sim, and commit docs/pictures"

# ---- One all-to-all in each phase ----

ROW = 118  # height of a phase's row
LEFT = 214  # where the drawings of rows begin

LIFE = (
    "Eight rows from top to bottom. Import: gate, permute, dispatch, experts, combine, "
    "unpermute. Choose: a plan on the layer, slice and two chunks. Decompose: the "
    "dispatch becomes a local slice, a smaller all-to-all and an all-gather. Pipeline: "
    "the three ops run once per chunk. Schedule: tasks on streams, where the all-to-all "
    "of chunk 1 overlaps with the all-gather of chunk 0. Runtime: wait for an event, "
    "all-to-all between buffers, record an event. LLVM: a call of moert_all_to_all. "
    "Run: a thread per rank; the ranks announce their buffers, then copy blocks.")


def chip(x, y, width, label, colors, height=44, bold=False):
    """A small box with one label."""
    fill, border = colors
    yield (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" '
           f'fill="{fill}" stroke="{border}" stroke-width="1.5"/>')
    yield text(x + width / 2, y + height / 2 + 7, label, bold=bold)


def chips(y, *items, gap=18):
    """Boxes from left to right with arrows between them: (width, label, colors)."""
    x = LEFT
    for number, (width, label, colors) in enumerate(items):
        if number:
            yield arrow((x - gap + 1, y + 22), (x - 2, y + 22))
        yield from chip(x, y, width, label, colors, bold=colors is TIME)
        x += width + gap


def draw_import(y):
    yield from chips(y, (66, "gate", PHASE), (98, "permute", PHASE),
                     (106, "dispatch", TIME), (92, "experts", PHASE),
                     (108, "combine", TIME), (98, "unperm.", PHASE))


def draw_choose(y):
    yield from chips(y, (106, "dispatch", TIME), (340, "plan: slice dim 2, 2 chunks", CHECK))


def draw_decompose(y):
    yield from chips(y, (120, "slice", PHASE), (246, "all-to-all, 1/4 bytes", TIME),
                     (150, "all-gather", PHASE))


def draw_pipeline(y):
    for chunk in range(2):
        x = LEFT + chunk * 332
        yield (f'<rect x="{x}" y="{y - 6}" width="316" height="56" rx="8" fill="none" '
               f'stroke="{PROGRAM[1]}" stroke-width="1.5" stroke-dasharray="5 4"/>')
        yield from chip(x + 8, y, 64, "slice", PHASE)
        yield from chip(x + 80, y, 118, f"a2a {chunk}", TIME, bold=True)
        yield from chip(x + 206, y, 102, "gather", PHASE)


def draw_schedule(y):
    top = y - 24
    for row, (stream, tasks) in enumerate([
            ("copy", [(0, 70, "s0", PHASE), (74, 70, "s1", PHASE)]),
            ("inter", [(74, 200, "a2a 0", TIME), (278, 200, "a2a 1", TIME)]),
            ("intra", [(278, 120, "g 0", PHASE), (482, 120, "g 1", PHASE)])]):
        yield text(LEFT + 54, top + 32 * row + 20, stream, fill=FAINT, anchor="end")
        for x, width, label, colors in tasks:
            yield from chip(LEFT + 64 + x, top + 32 * row, width, label, colors, height=28)


def draw_runtime(y):
    yield from chips(y, (126, "wait event", PHASE), (254, "all-to-all, buf to buf", TIME),
                     (150, "record event", PHASE))


def draw_llvm(y):
    yield from chips(y, (496, "call moert_all_to_all(comm, in, out, n, type)", TIME))


def draw_run(y):
    for rank in range(4):
        yield from chip(LEFT + 132 * rank, y, 116, f"rank {rank}", RUN)
        if rank:
            yield line((LEFT + 132 * rank - 15, y + 22), (LEFT + 132 * rank - 1, y + 22))
    yield text(LEFT + 536, y + 29, "...", anchor="start")


PHASES = [
    ("import", "one program", draw_import),
    ("choose", "for your platform", draw_choose),
    ("decompose", "other collectives", draw_decompose),
    ("pipeline", "chunks", draw_pipeline),
    ("schedule", "tasks on streams", draw_schedule),
    ("runtime", "buffers, events", draw_runtime),
    ("llvm", "machine code", draw_llvm),
    ("run", "a thread per rank", draw_run),
]


def draw_life():
    def shapes():
        for number, (name, meaning, draw) in enumerate(PHASES):
            y = 14 + ROW * number
            yield from box(16, y, 184, 92, RUN if name == "run" else PROGRAM, name, meaning)
            if number:
                yield arrow((108, y - 25), (108, y - 3))
            yield from draw(y + 24)

    return picture(20 + ROW * len(PHASES), "The life of an all-to-all", LIFE, shapes())


# ---- Axes ----


class Axes:
    """A plot area and its scales. x is logarithmic; y is linear or logarithmic."""

    def __init__(self, area, x_range, y_range, log_y=False):
        self.left, self.top, self.right, self.bottom = area
        self.x_range, self.y_range, self.log_y = x_range, y_range, log_y

    def x(self, value):
        low, high = map(math.log, self.x_range)
        share = (math.log(value) - low) / (high - low)
        return round(self.left + share * (self.right - self.left))

    def y(self, value):
        scale = math.log if self.log_y else float
        low, high = map(scale, self.y_range)
        share = (scale(value) - low) / (high - low)
        return round(self.bottom - share * (self.bottom - self.top))

    def draw(self, x_ticks, y_ticks, x_label, y_label):
        """Grid, ticks as (value, label), and the labels of both axes."""
        for value, label in y_ticks:
            yield line((self.left, self.y(value)), (self.right, self.y(value)),
                       color="#e3e7eb", width=1)
            yield text(self.left - 10, self.y(value) + 7, label, fill=FAINT, anchor="end")
        for value, label in x_ticks:
            yield line((self.x(value), self.bottom), (self.x(value), self.bottom + 6))
            yield text(self.x(value), self.bottom + 28, label, fill=FAINT)
        yield line((self.left, self.top), (self.left, self.bottom),
                   (self.right, self.bottom))
        yield text((self.left + self.right) / 2, self.bottom + 58, x_label)
        yield text(self.left - 60, self.top - 16, y_label, anchor="start")


# ---- Time over chunks ----

LAYER = ["--import-hf-config", str(ROOT / "examples/configs/mixtral-8x7b.json"), "--ep",
         "8", "--tp", "4", "--sequence-parallel", "--micro-batch", "1", "--seq-len", "4096",
         "--layers", "1"]
CHUNKS = [1, 2, 4, 8, 16]
CLUSTERS = [("fsmoe-b", TIME[1]), ("dgx-h100", PROGRAM[1])]


def run(binary, *arguments):
    return subprocess.run([binary, *arguments], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def measure_chunks(binaries, folder):
    """Predicted times in us by platform, in the order of CHUNKS."""
    layer, scheduled = folder / "layer.mlir", folder / "scheduled.mlir"
    run(binaries / "moe-translate", *LAYER, "-o", layer)
    times = {}
    for platform, _ in CLUSTERS:
        times[platform] = []
        for chunks in CHUNKS:
            run(binaries / "moe-opt", layer, "-o", scheduled,
                f"--moe-compile=to=schedule platform={platform} degree={chunks}")
            answer = json.loads(run(binaries / "moe-sim", scheduled, "--json"))
            times[platform].append(answer["makespan_us"])
    return times


def draw_chunks(times):
    description = "Predicted by moe-sim, in chunks: " + "; ".join(
        f"on {platform}, " + ", ".join(f"{time / 1e3:.3g} ms in {chunks}"
                                       for chunks, time in zip(CHUNKS, times[platform]))
        for platform, _ in CLUSTERS) + "."
    axes = Axes((90, 66, 690, 370), (1, 16), (0.7, 1.05))

    def shapes():
        yield from axes.draw([(n, str(n)) for n in CHUNKS],
                             [(y / 100, f"{y} %") for y in range(70, 106, 10)],
                             "chunks of the layer", "predicted time, one chunk = 100 %")
        for platform, color in CLUSTERS:
            shares = [time / times[platform][0] for time in times[platform]]
            points = [(axes.x(n), axes.y(share)) for n, share in zip(CHUNKS, shares)]
            yield line(*points, color=color, width=3)
            best = min(range(len(shares)), key=shares.__getitem__)
            for number, (x, y) in enumerate(points):
                fill = color if number == best else "#ffffff"
                yield (f'<circle cx="{x}" cy="{y}" r="7" fill="{fill}" stroke="{color}" '
                       'stroke-width="3"/>')
            yield text(points[-1][0] + 18, points[-1][1] - 2, platform, fill=color,
                       bold=True, anchor="start")
            yield text(points[-1][0] + 18, points[-1][1] + 24,
                       f"best: {CHUNKS[best]} chunks", anchor="start")

    return picture(450, "Time of a Mixtral layer over its number of chunks",
                   description, shapes())


# ---- Accuracy ----

# (label, color) of each group of rows, in the order of the legend.
GROUPS = {
    "judged": ("all settings stated", CHECK[1]),
    "not stated": ("a setting not stated", PROGRAM[1]),
    "in sample": ("used to fit the platform", INPUT[1]),
}


def import_accuracy():
    sys.path.insert(0, str(ROOT / "bench/accuracy"))
    import accuracy
    return accuracy


def list_seconds(accuracy, row, answer):
    """Predicted times in s, one for each published figure of the row."""
    if row["kind"] == "step":
        return [accuracy.get_step(row, answer)[0]]
    if row["kind"] == "expert layer":
        return [accuracy.get_expert_layer_us(answer) / 1e6]
    keys = {"layer": ["forward_us", "backward_us"],
            "dispatch": ["dispatch_us", "combine_us"]}.get(row["kind"], ["time_us"])
    values = answer["moe_layer"] if row["kind"] == "layer" else answer
    return [values[key] / 1e6 for key in keys[:len(accuracy.get_parts(row))]]


def measure_accuracy(binaries):
    """(group, published time in s, predicted over published) of each figure."""
    accuracy = import_accuracy()
    os.environ["MOE_PLAN"] = str(binaries / "moe-plan")
    arguments = SimpleNamespace(by="planners", platform=None)
    rows = json.loads((ROOT / "bench/accuracy/points.json").read_text())
    points = []
    for row in rows:
        if row["kind"] == "memory":
            continue  # bytes, not times
        try:
            answer = accuracy.ask(row, arguments)
        except accuracy.CannotAsk:
            continue
        group = "in sample" if "inSample" in row else \
            "not stated" if "notStated" in row else "judged"
        for (ratio, _), seconds in zip(accuracy.get_ratios(row, answer),
                                       list_seconds(accuracy, row, answer)):
            points.append((group, seconds / ratio, ratio))
    return points


def draw_accuracy(points):
    axes = Axes((90, 66, 880, 400), (4e-6, 1e2), (0.3, 1.6), log_y=True)
    counts = {group: sum(point[0] == group for point in points) for group in GROUPS}
    near = sum(abs(math.log(ratio)) <= math.log(1.2) for _, _, ratio in points)
    description = (
        f"{len(points)} points, predicted over published time against published time, from "
        f"microseconds to tens of seconds. {near} of them are within a factor of 1.2. "
        + "; ".join(f"{counts[group]} {label}" for group, (label, _) in GROUPS.items())
        + ".")

    def shapes():
        top, bottom = axes.y(1.2), axes.y(1 / 1.2)
        yield (f'<rect x="{axes.left}" y="{top}" width="{axes.right - axes.left}" '
               f'height="{bottom - top}" fill="{CHECK[0]}"/>')
        yield text(axes.x(0.1), top + 26, "within a factor of 1.2", fill=CHECK[1])
        yield from axes.draw(
            [(1e-5, "10 us"), (1e-3, "1 ms"), (1e-1, "0.1 s"), (10, "10 s")],
            [(value, f"{value:g}") for value in (0.3, 0.5, 0.7, 1, 1.4)],
            "published time", "predicted / published time")
        yield line((axes.left, axes.y(1)), (axes.right, axes.y(1)), color=INK)
        for group in reversed(GROUPS):
            color = GROUPS[group][1]
            for kind, seconds, ratio in points:
                if kind == group:
                    yield (f'<circle cx="{axes.x(seconds)}" cy="{axes.y(ratio)}" r="7" '
                           f'fill="{color}" fill-opacity="0.75"/>')
        for number, (group, (label, color)) in enumerate(GROUPS.items()):
            x, y = 90 + 400 * (number % 2), 490 + 34 * (number // 2)
            yield f'<circle cx="{x}" cy="{y - 7}" r="8" fill="{color}"/>'
            yield text(x + 18, y, f"{label} ({counts[group]})", anchor="start")

    return picture(544, "Predicted over published times", description, shapes())


# ---- Commands ----


def draw_all(binaries):
    """(name, SVG) of each figure."""
    yield "all-to-all.svg", draw_life()
    with tempfile.TemporaryDirectory() as folder:
        yield "chunks.svg", draw_chunks(measure_chunks(binaries, pathlib.Path(folder)))
    yield "accuracy.svg", draw_accuracy(measure_accuracy(binaries))


def check(binaries, folder):
    stale = [name for name, svg in draw_all(binaries)
             if not (folder / name).is_file() or (folder / name).read_text() != svg]
    if stale:
        sys.exit("\n".join([f"{folder / name} is stale: scripts/figures.py draws another "
                            "picture" for name in stale] + [RENEW]))
    print("figures show today's numbers")


def main(arguments):
    match arguments:
        case ["draw", binaries, folder]:
            for name, svg in draw_all(pathlib.Path(binaries).resolve()):
                (pathlib.Path(folder) / name).write_text(svg)
        case ["check", binaries, folder]:
            check(pathlib.Path(binaries).resolve(), pathlib.Path(folder))
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
