#!/usr/bin/env python3
"""Prints the last screen of the demo from the files that mixtral.sh wrote.

usage: demo-screen.py FOLDER NAME

NAME is the name of the folder on the screen.
"""

import csv
import json
import pathlib
import re
import sys


def time(us):
    """Three significant digits: '109 ms'."""
    value, unit = (us, "us") if us < 999.5 else (us / 1e3, "ms")
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f} {unit}"


class Screen:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def load(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())

    def layers(self, platform, mode):
        answer = self.load(f"layers-{platform}-{mode}")
        return (answer["speedup"], f"{time(answer['baseline_us'])} -> "
                f"{time(answer['makespan_us'])}")

    def step(self, mode, other):
        was, now = (self.load(f"step-{mode}-{name}")["makespan_us"]
                    for name in (other, "best"))
        return was / now, f"{time(was)} -> {time(now)}"

    def bytes(self, name):
        """Bytes that one rank sends over each axis."""
        sent = {}
        with open(self.folder / f"{name}.csv", newline="") as file:
            for row in csv.DictReader(file):
                sent[row["axes"]] = (sent.get(row["axes"], 0)
                                     + int(row["bytes"]) * int(row["times"]))
        return sent

    def choice(self, platform, mode):
        """'o1 (of 13 candidates)', of the first layers."""
        choice = self.load(f"layers-{platform}-{mode}")["choices"][0]
        chosen = choice["decision"]["candidates"][0]["name"]
        count = choice["metrics"]["simulated"]
        return chosen + (f" (of {count} candidates)" if count > 1 else "")

    def checked(self, name):
        """Rank counts of the comparisons that moe-run reported as equal."""
        text = (self.folder / f"{name}.checked.txt").read_text()
        found = re.findall(r"^equal: (\d+) ranks", text, re.M)
        if not found:
            sys.exit(f"demo-screen.py: {name}.checked.txt: expected a line "
                     "'equal: N ranks', found none")
        return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    screen, name = Screen(sys.argv[1]), sys.argv[2]
    rows = []
    for label, get in [
            ("forward   16 x A800   ep 2  tp 8",
             lambda mode: screen.layers("a800-2x8", mode)),
            ("forward   32 x H100   ep 8  tp 4",
             lambda mode: screen.layers("dgx-h100", mode)),
            ("step, 64 x H100, over Megatron's schedule",
             lambda mode: screen.step(mode, "megatron")),
            ("  dp 2 ep 8 tp 4, over FSMoE's DeepSpeed model",
             lambda mode: screen.step(mode, "deepspeed"))]:
        with_sp, without = get("sp"), get("tp")
        rows.append(f"{label:<49}{with_sp[0]:.2f}x  {with_sp[1]:<20}"
                    f"{without[0]:.2f}x  {without[1]}")
    before, after = screen.bytes("mixtral"), screen.bytes("mixtral-decomposed")
    moved = "   ".join(
        f"{axis} {before[axis] / 1e9:.2f} -> {after[axis] / 1e9:.2f} GB "
        f"(x{after[axis] / before[axis]:.2f})" for axis in sorted(before))
    compiled = screen.checked("forward"), screen.checked("train")
    symbolic = screen.checked("forward")[-1], screen.checked("decomposed")[-1]
    print(f"""\
moe-mlir demo: Mixtral 8x7B, 32 layers, sequence length 4096
all times PREDICTED: links and GEMMs at data-sheet rates, no launch overhead, even routing

{'':<49}with sequence             without
{'':<49}parallelism               (replicated tokens)""")
    print("\n".join(rows))
    print(f"""
chosen with sequence parallelism
  A800    {screen.choice("a800-2x8", "sp")}
  H100    {screen.choice("dgx-h100", "sp")}
chosen without
  A800    {screen.choice("a800-2x8", "tp")}
  H100    {screen.choice("dgx-h100", "tp")}
bytes one rank sends without sequence parallelism, ep 8 x tp 4
  {moved}
equivalence checks on reduced copies (2 layers, hidden size 16)
  PASS    compiled, run on CPU threads, bit for bit   {compiled[0][0]} ranks: forward, training step
  PASS    symbolic, 4 sampled routings                {symbolic[0]} and {symbolic[1]} ranks: forward
not checked here: the full-size program, GPUs, a real network
report    {name}/step.html     details    {name}/summary.txt""")


if __name__ == "__main__":
    main()
