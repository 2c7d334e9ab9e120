#!/usr/bin/env python3
"""Runs a pack (pack.py) on a machine with a GPU, the most valuable steps first,
and writes a page that is complete after each step.

usage: quarter_hour.py FOLDER [--seconds=480] [--only=STEP,...] [--output=FOLDER]
                       [--threads]

Steps: probe, programs (results compared with the interpreter's, and times: as
they are, as a CUDA graph, with registered memory), conformance, kernels, rates
(PyTorch's rates on the same GPU, for platform files), faults, sanitizers. Each
step has a time limit, after which its processes are killed. The page lists
steps that were skipped for lack of time, and a missing tool as a row. With
--threads ranks are threads, as the CPU emulation of CUDA and NCCL requires.
Writes page.md and rates.json. Exit code 1 if a step failed, 77 if the backend
is not available.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

FAULTS = ("abort", "kernel", "leaves", "killed", "missing")
FORMS = ([], ["graph"], ["registered"])
# Runs of programs with counts include work of the host.
REFUSED = "the host has no part while it runs"


def run(command, seconds):
    """The exit code and output of a command; 124 if it was killed at its limit,
    127 if it does not exist."""
    try:
        job = subprocess.Popen([str(part) for part in command], text=True,
                               errors="replace", stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    except OSError as problem:
        return 127, str(problem)
    try:
        said = job.communicate(timeout=seconds)[0]
        return job.returncode, said
    except subprocess.TimeoutExpired:
        # A remaining child process would keep the GPU busy.
        os.killpg(job.pid, signal.SIGKILL)
        return 124, job.communicate()[0]


class Page:
    def __init__(self, folder, seconds, only):
        self.file = open(folder / "page.md", "w")
        self.end, self.only, self.failed = time.monotonic() + seconds, only, 0

    def write(self, text):
        print(text, flush=True)
        self.file.write(text + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def begin(self, step):
        """Returns true if a step is selected; writes its heading."""
        if self.only and step not in self.only:
            return False
        self.write(f"\n## {step}\n\n| what | | s | words |\n|---|---|---|---|")
        return True

    def row(self, what, outcome, seconds, words):
        self.failed += outcome == "**failed**"
        words = " ".join(words.split())[-400:].replace("|", "/")
        self.write(f"| {what} | {outcome} | {seconds:.1f} | {words} |")

    def try_one(self, what, seconds, command, is_good=lambda code, said: code == 0):
        """Runs a command and adds a row; on success the row has the last line
        of the output. Returns the output on success."""
        left = self.end - time.monotonic()
        if left < 3:
            self.row(what, "left out", 0, "no time is left")
            return ""
        if not shutil.which(str(command[0])):
            name = pathlib.Path(str(command[0])).name
            self.row(what, "left out", 0, f"{name} is not there")
            return ""
        begin = time.monotonic()
        code, said = run(command, min(seconds, left))
        took = time.monotonic() - begin
        if is_good(code, said):
            lines = said.strip().splitlines()
            self.row(what, "passed", took, lines[-1] if lines else "")
            return said
        outcome = "left out" if code == 77 else "**failed**"
        self.row(what, outcome, took, f"exit code {code}: {said}")
        return ""


def get_ranks(program):
    return int((program / "table").read_text().split()[1])


def try_programs(page, folder, launch, threads):
    for program in sorted((folder / "programs").iterdir(),
                          key=lambda one: (not (one / "out0.0").exists(), one.name)):
        is_small = (program / "out0.0").exists()
        for form in FORMS:
            command = [*launch(get_ranks(program)), folder / "runner",
                       program / "program.so", program, 20 if is_small else 10, *form,
                       *threads]

            def is_good(code, said):
                return code == 0 or form == ["graph"] and REFUSED in said

            page.try_one(" ".join([program.name, *form]), 40, command, is_good)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--threads", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    steps = ["probe", "programs", "conformance", "kernels", "rates", "faults",
             "sanitizers"]
    only = [step for step in options.only.split(",") if step]
    for step in only:
        if step not in steps:
            parser.error(f"--only: expected some of {', '.join(steps)}, got {step!r}")
    if not (folder / "runner").exists():
        parser.error(f"expected what pack.py packed in {folder}, found no runner")
    options.output.mkdir(parents=True, exist_ok=True)
    page = Page(options.output, options.seconds, only)
    ranks_py = [sys.executable, "-u", folder / "ranks.py"]

    def launch(ranks):
        return [*ranks_py, 1 if options.threads else ranks]

    def get_suite(ranks):
        threads = [f"--ranks={ranks}"] if options.threads else []
        return [*launch(ranks), suite, "--backend=nccl", *threads]

    suite = folder / "moert-conformance"
    code, said = run([suite, "--backend=nccl", "--probe"], 60)
    page.write(f"# A quarter of an hour on a GPU\n\n{said.strip()}")
    if code:
        page.write("\nleft out: the backend is not available")
        sys.exit(77)
    if page.begin("programs"):
        try_programs(page, folder, launch, ["threads"] if options.threads else [])
    if page.begin("conformance"):
        for ranks in (1, 2):
            page.try_one(f"{ranks} ranks", 90,
                         get_suite(ranks))
    if page.begin("kernels"):
        bench = folder / "moert-bench-kernels"
        said = page.try_one(
            "kernels beside what bounds them", 60,
            [*ranks_py, 1, bench, "nccl"] if bench.exists() else [bench])
        if said:
            page.write("\n| kernel | shape | us | bound, us | ratio |\n"
                       "|---|---|---|---|---|")
            for line in said.strip().splitlines():
                page.write(f"| {' | '.join(line.split())} |")
    if page.begin("rates"):
        page.try_one("PyTorch on the same GPU", 60,
                     [sys.executable, "-u", folder / "rates.py",
                      options.output / "rates.json"])
    if page.begin("faults"):
        for fault in FAULTS:
            page.try_one(
                fault, 40,
                [*get_suite(2), f"--fault={fault}", "--deadline-ms=6000"],
                # Only the killed rank ends this way.
                lambda code, said: code == 0
                or fault == "killed" and " 0 failures" in said)
    if page.begin("sanitizers"):
        for tool in ("racecheck", "memcheck"):
            page.try_one(tool, 60, ["compute-sanitizer", f"--tool={tool}",
                                    *get_suite(1), "--only=dropless"])
    page.write(f"\n{page.failed} failed")
    sys.exit(1 if page.failed else 0)


if __name__ == "__main__":
    main()
