#!/usr/bin/env python3
"""Measures how fast a page of moe-sim --report loads and zooms in Chromium.

usage: bench/report/measure.py BIN

BIN holds moe-translate, moe-opt and moe-sim. The program is a training step of
a model of Mixtral's sizes with 150 layers, i.e. over 20,000 tasks, compared
with itself in another schedule. Prints a table; exit code 1 if the page takes
over 2 seconds to load, or shows less than 30 frames/s while it zooms from the
whole to a thousandth and back.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/report/Inputs"))

from browser import Page  # noqa: E402

LOAD = """performance.getEntriesByType('navigation')[0].loadEventEnd"""
ZOOM = """(async () => {
  const timeline = report.timeline, frames = [];
  timeline.showAll();
  for (let i = 0; i < 120; ++i) {
    frames.push(await new Promise(requestAnimationFrame));
    timeline.zoom(i < 60 ? 0.89 : 1 / 0.89);
  }
  return frames.slice(1).map((at, i) => at - frames[i]);
})()"""


def make(bin, folder):
    """Writes a page of two schedules; returns its path."""
    def run(*command):
        subprocess.run([str(bin / command[0]), *command[1:]], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)

    platform = root / "platforms/dgx-h100.json"
    config = (root / "examples/configs/mixtral-8x7b.json").read_text()
    (folder / "model.json").write_text(re.sub(
        r'"num_hidden_layers": \d+', '"num_hidden_layers": 150', config))
    run("moe-translate", "--import-hf-config", "model.json", "--phase", "train",
        "--dp", "2", "--ep", "8", "--tp", "4", "--micro-batch", "1",
        "--seq-len", "4096", "-o", "step.mlir")
    for schedule in ["fsmoe", "deepspeed"]:
        run("moe-opt", "step.mlir", "-o", f"{schedule}.mlir",
            f"--moe-compile=to=schedule platform={platform} schedule={schedule}")
    run("moe-sim", "fsmoe.mlir", f"--platform={platform}",
        "--baseline=deepspeed.mlir", "--report=page.html")
    return folder / "page.html"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: bench/report/measure.py BIN")
    with tempfile.TemporaryDirectory() as folder:
        path = make(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        loads, frames = [], []
        for _ in range(5):
            with Page(path) as page:
                loads.append(page.evaluate(LOAD))
                frames.append(page.evaluate(ZOOM))
                counts = page.evaluate("report.programs.map(p => p.count)")
        megabytes = path.stat().st_size / 1e6
    rates = [1000 * len(one) / sum(one) for one in frames]
    load, rate = sorted(loads)[2], sorted(rates)[2]
    longest = sorted(max(one) for one in frames)[2]
    print(f"| tasks | {' and '.join(f'{c:,}' for c in counts)} |")
    print("|---|---|")
    print(f"| size of the page | {megabytes:.1f} MB |")
    print(f"| loaded after | {load:.0f} ms (of 5: {min(loads):.0f} to "
          f"{max(loads):.0f}) |")
    print(f"| frames a second, zooming | {rate:.1f} (of 5: {min(rates):.1f} to "
          f"{max(rates):.1f}) |")
    print(f"| longest frame | {longest:.0f} ms |")
    sys.exit(0 if load <= 2000 and rate >= 30 else 1)


main()
