#!/usr/bin/env python3
"""What to try first on a machine with GPUs, and a page of what came of it.

usage: first_hour.py BUILD [--ranks=1,2,4] [--only=PART,...] [--output=FILE.md]

BUILD holds bin/moe-run and the others; bin/moert-bench-kernels (target
moert-benchmarks) for the part kernels. Parts:

  probe        what of the backend nccl is there
  conformance  moert-conformance with each number of ranks
  faults       jobs that go wrong, and how they end
  programs     small copies of models in several forms beside the interpreter
  launchers    torchrun, srun's variables, a hosts file with 127.0.1.1
  kernels      kernels beside what bounds them

More ranks than GPUs share them (bench/gpu/ranks.py). A launcher that is not
there is skipped, and said so. Exit code 1 when something failed, 77 where the
backend is not available.
"""

import argparse
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
PARTS = ["probe", "conformance", "faults", "programs", "launchers", "kernels"]
FAULTS = ["missing", "mismatch", "kind", "abort", "absent", "leaves", "killed"]
KILLED = "rank 1 ended with -9"
MODELS = ["mixtral-8x7b", "qwen1.5-moe-a2.7b"]
FORMS = ["as-imported", "layers", "o1", "o3-chunks", "fsmoe"]
# Rows of bf16 against one copy of the same bytes.
LEAST_RATIO = 0.85


def run(command, seconds=300, **env):
    begin = time.monotonic()
    try:
        done = subprocess.run([str(part) for part in command], text=True,
                              capture_output=True, timeout=seconds,
                              env=dict(os.environ, **env))
        code, out, error = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, out, error = 124, "", f"no end after {seconds} s"
    return code, out, error, time.monotonic() - begin


class Page:
    def __init__(self):
        self.lines, self.failed = [], 0

    def write(self, text=""):
        print(text, flush=True)
        self.lines.append(text)

    def row(self, what, good, seconds, words):
        self.failed += not good
        words = " ".join(words.split())[:300].replace("|", "/")
        self.write(f"| {what} | {'passed' if good else '**failed**'} | "
                   f"{seconds:.1f} | {words} |")

    def head(self, title):
        self.write(f"\n## {title}\n")
        self.write("| what | | s | words |\n|---|---|---|---|")


def get_last(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def try_conformance(page, ranks_py, tools, counts):
    page.head("Conformance")
    for ranks in counts:
        code, out, error, seconds = run(
            ranks_py + [ranks, tools / "moert-conformance", "--backend=nccl"])
        page.row(f"{ranks} ranks", code == 0, seconds,
                 get_last(out) if code == 0 else out + error)


def try_faults(page, ranks_py, tools):
    page.head("Jobs that go wrong, two ranks")
    for fault in FAULTS:
        code, out, error, seconds = run(
            ranks_py + [2, tools / "moert-conformance", "--backend=nccl",
                        f"--fault={fault}", "--deadline-ms=10000"], 120)
        # Who is to be killed, and nobody else, ends so.
        if fault == "killed" and error.strip() == f"ranks.py: {KILLED}":
            code = 0 if "0 failures" in get_last(out) else code
        page.row(fault, code == 0, seconds,
                 get_last(out) if code == 0 else out + error)


def try_programs(page, tools):
    page.head("Programs beside the interpreter")
    script = ROOT / "test/Execution/Inputs/stand_ins.py"
    for model in MODELS:
        with tempfile.TemporaryDirectory() as tmp:
            code, out, error, seconds = run(
                [sys.executable, script, ROOT / "examples/configs", model, tmp,
                 *FORMS], 900, STAND_INS_ON="gpus",
                PATH=f"{tools}:{os.environ['PATH']}")
        page.row(model, code == 0, seconds,
                 get_last(out) if code == 0 else out + error)


def try_launchers(page, tools):
    page.head("Launchers")
    with tempfile.TemporaryDirectory() as tmp:
        program = pathlib.Path(tmp) / "program.mlir"
        run([tools / "moe-translate", "--import-hf-config",
             ROOT / "examples/configs/mixtral-8x7b.json", "--seq-len=16",
             "--hidden-size=32", "--expert-ffn-size=16", "--num-experts=4",
             "--micro-batch=1", "--ep=2", "--tp=1", "--layers=1",
             "--dtype=f32", "-o", program])
        execute = [tools / "moe-run", program, "--backend=nccl",
                   f"--against={program}", "--against-backend=interp",
                   "--tolerance=1e-5"]
        alone = {"NCCL_SOCKET_IFNAME": "lo"}

        def launch(what, commands, environments):
            begin = time.monotonic()
            jobs = [subprocess.Popen([str(part) for part in command],
                                     text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT,
                                     env=dict(os.environ, **alone, **env))
                    for command, env in zip(commands, environments)]
            words = []
            for job in jobs:
                try:
                    words.append(job.communicate(timeout=120)[0])
                except subprocess.TimeoutExpired:
                    job.kill()
                    words.append("no end after 120 s")
            good = all(job.returncode == 0 for job in jobs)
            equal = [line for line in "\n".join(words).splitlines()
                     if line.startswith("equal")]
            page.row(what, good and bool(equal), time.monotonic() - begin,
                     equal[0] if good and equal else " / ".join(words))

        if shutil.which("torchrun"):
            # Two nodes of a rank each: one GPU is enough.
            launch("torchrun, two nodes of one rank",
                   [["torchrun", "--nnodes=2", f"--node-rank={node}",
                     "--nproc-per-node=1", "--master-addr=127.0.0.1",
                     "--master-port=29480", "--no-python", *execute]
                    for node in range(2)],
                   [{"NCCL_HOSTID": f"node{node}"} for node in range(2)])
        else:
            page.write("| torchrun | skipped | 0 | not installed |")
        launch("srun's variables", [execute] * 2,
               [{"SLURM_PROCID": str(rank), "SLURM_NTASKS": "2",
                 "SLURM_LOCALID": "0", "MOERT_ADDRESS": "127.0.0.1:29484",
                 "NCCL_HOSTID": f"task{rank}"} for rank in range(2)])
        name = os.uname().nodename
        hosts = pathlib.Path("/etc/hosts").read_text()
        if re.search(rf"^127\.0\.1\.1\s.*\b{re.escape(name)}\b", hosts, re.M):
            launch(f"{name} is 127.0.1.1 in the hosts file", [execute] * 2,
                   [{"MOERT_RANK": str(rank), "MOERT_WORLD_SIZE": "2",
                     "MOERT_LOCAL_RANK": "0", "MOERT_TOKEN": "first-hour",
                     "MOERT_ADDRESS": f"{name}:29488",
                     "NCCL_HOSTID": f"rank{rank}"} for rank in range(2)])
        else:
            page.write(f"| hosts file | skipped | 0 | /etc/hosts has no line "
                       f"127.0.1.1 {name} |")


def try_kernels(page, ranks_py, tools):
    bench = tools / "moert-bench-kernels"
    if not bench.exists():
        page.write("\nNo moert-bench-kernels: build moert-benchmarks.")
        page.failed += 1
        return
    code, out, error, _ = run(ranks_py + [1, bench, "nccl"], 600)
    page.write("\n## Kernels beside what bounds them\n")
    page.write("| kernel | shape | us | bound, us | ratio |")
    page.write("|---|---|---|---|---|")
    for line in out.splitlines():
        kernel, shape, us, bound, ratio = line.split()
        low = kernel.endswith("order") and float(ratio) < LEAST_RATIO
        page.failed += low
        page.write(f"| {kernel} | {shape} | {us} | {bound} | "
                   f"{'**' + ratio + '**' if low else ratio} |")
    if code:
        page.failed += 1
        page.write(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.
                                     RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    wanted = options.only.split(",")
    for part in wanted:
        if part not in PARTS:
            parser.error(f"--only: expected some of {', '.join(PARTS)}, got "
                         f"{part!r}")
    tools = options.build.resolve() / "bin"
    ranks_py = [sys.executable, HERE / "ranks.py"]
    code, out, error, _ = run(ranks_py + [1, tools / "moert-conformance",
                                          "--backend=nccl", "--probe"])
    if code:
        print(f"first_hour.py: {(out + error).strip()}", file=sys.stderr)
        sys.exit(code)
    page = Page()
    page.write("# A first hour on GPUs\n")
    page.write(f"`bench/gpu/first_hour.py` on {datetime.date.today()}, "
               f"{os.cpu_count()} cores.\n\n{out.strip()}")
    if "conformance" in wanted:
        try_conformance(page, ranks_py, tools,
                        [int(n) for n in options.ranks.split(",")])
    if "faults" in wanted:
        try_faults(page, ranks_py, tools)
    if "programs" in wanted:
        try_programs(page, tools)
    if "launchers" in wanted:
        try_launchers(page, tools)
    if "kernels" in wanted:
        try_kernels(page, ranks_py, tools)
    page.write(f"\n{page.failed} failed")
    if options.output:
        options.output.write_text("\n".join(page.lines) + "\n")
    sys.exit(1 if page.failed else 0)


main()
