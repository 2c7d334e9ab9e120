#!/usr/bin/env python3
"""Lists ptxas' figures of device kernels: registers, shared memory and spills
of each on each architecture. Covers the library's kernels; or the kernels of
programs, from the PTX files NAME.ptx of a folder (compile_configs.py of
test/Execution/Inputs writes these for examples/configs). Fails if this nvcc
does not support an architecture or if a kernel spills registers; a kernel of
the library also if it has arrays in local memory. With --cutlass, the folder
with CUTLASS's headers (scripts/make-cutlass.sh), also covers the library's
kernels for sm_90a, in the column of sm_90.

usage: bench/ptxas.py [--nvcc=NVCC] [--architectures=sm_90,...]
                      [--cutlass=FOLDER]
                      [--output=bench/results/ptxas-kernels.md]
       bench/ptxas.py --programs=FOLDER [--output=bench/results/ptxas-programs.md]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ARCHITECTURES = ["sm_75", "sm_80", "sm_90", "sm_100"]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

ENTRY = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'")
SPILLS = re.compile(
    r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")


def find_nvcc(given):
    for nvcc in [given, "nvcc", "/usr/local/cuda/bin/nvcc"]:
        try:
            said = subprocess.run(
                [nvcc, "--version"], capture_output=True, text=True, check=True
            ).stdout
            release = re.search(r"release [\d.]+, V([\d.]+)", said)
            return nvcc, release.group(1) if release else "unknown"
        except (OSError, TypeError, subprocess.CalledProcessError):
            pass
    sys.exit("ptxas.py: expected nvcc in PATH or /usr/local/cuda/bin, found none")


def measure(nvcc, architecture, source, flags, folder):
    """Registers, static shared memory and the three sizes of local memory of
    each kernel. The latter are the largest of its own sizes and of the
    functions that it calls, which ptxas lists after it."""
    run = subprocess.run(
        [nvcc, "-cubin", f"-arch={architecture}", "-Xptxas", "-v"]
        + flags
        + [source, "-o", os.path.join(folder, f"{architecture}.cubin")],
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        sys.exit(f"ptxas.py: {architecture}: {run.stdout}{run.stderr}")
    kernels, name = {}, None
    for line in run.stderr.splitlines():
        if entry := ENTRY.search(line):
            name = entry.group(1)
            kernels[name] = {"spills": None, "registers": None, "shared": 0}
        elif name and (spills := SPILLS.search(line)):
            sizes = [int(n) for n in spills.groups()]
            known = kernels[name]["spills"] or sizes
            kernels[name]["spills"] = [max(pair) for pair in zip(known, sizes)]
        elif name and (used := USED.search(line)):
            kernels[name]["registers"] = int(used.group(1))
            if shared := SHARED.search(line):
                kernels[name]["shared"] = int(shared.group(1))
    for name, kernel in kernels.items():
        if kernel["spills"] is None or kernel["registers"] is None:
            sys.exit(f"ptxas.py: {architecture}: ptxas says too little of {name}")
    return kernels


def measure_library(nvcc, architectures, cutlass, folder):
    runtime = os.path.join(ROOT, "runtime")
    flags = ["-std=c++17", "-O3", f"-I{runtime}/lib", f"-I{runtime}/include"]
    source = f"{runtime}/lib/nccl/kernels.cu"
    found = {a: measure(nvcc, a, source, flags, folder) for a in architectures}
    if cutlass and "sm_90" in architectures:
        # These kernels need instructions that exist on sm_90a only.
        source = f"{runtime}/lib/nccl/grouped.cu"
        flags += ["--expt-relaxed-constexpr", f"-isystem={cutlass}"]
        found["sm_90"].update(measure(nvcc, "sm_90a", source, flags, folder))
    return found


def measure_programs(nvcc, programs, architectures, folder):
    found = {a: {} for a in architectures}
    for file in sorted(os.listdir(programs)):
        program, extension = os.path.splitext(file)
        if extension != ".ptx":
            continue
        for architecture in architectures:
            source = os.path.join(programs, file)
            kernels = measure(nvcc, architecture, source, [], folder)
            for name, kernel in kernels.items():
                found[architecture][f"{program} {name}"] = kernel
    return found


def describe(problems, programs, names):
    """Describes the checked problems, in lines of the page."""
    if programs:
        return (
            ("No kernel spills" if not problems else f"{len(problems)} kernels spill")
            + "\nregisters; bytes of arrays in local memory are printed. The PTX is that of"
            + "\nsm_75, which drivers translate for later ones, too: of each model of"
            + "\nexamples/configs with one layer, 64 tokens and bf16, forward and training;"
            + "\n`math`: functions of f32 and f64, of test/Execution/nccl-math.mlir."
        )
    return (
        "No kernel spills registers or keeps"
        if not problems
        else f"{len(problems)} kernels spill registers or keep"
    ) + (
        "\narrays in local memory. `moert_grouped_*`: for sm_90a only, with CUTLASS,"
        "\nand 227 KB of dynamic shared memory."
        if any(name.startswith("moert_grouped") for name in names)
        else "\narrays in local memory."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc")
    parser.add_argument("--programs")
    parser.add_argument("--cutlass")
    parser.add_argument("--output")
    parser.add_argument("--architectures", default=",".join(ARCHITECTURES))
    options = parser.parse_args()
    architectures = options.architectures.split(",")
    nvcc, version = find_nvcc(options.nvcc)
    with tempfile.TemporaryDirectory() as folder:
        if options.programs:
            found = measure_programs(nvcc, options.programs, architectures,
                                     folder)
        else:
            found = measure_library(
                nvcc, architectures, options.cutlass, folder
            )
    names = sorted({name for kernels in found.values() for name in kernels})
    if not names:
        sys.exit("ptxas.py: expected kernels, found none")
    problems = [
        f"{name} for {architecture}: {stack} bytes of local memory, spills of "
        f"{stores} bytes written and {loads} read"
        for architecture, kernels in found.items()
        for name, kernel in kernels.items()
        for stack, stores, loads in [kernel["spills"]]
        if stores or loads or (stack and not options.programs)
    ]
    whose = "Kernels of programs" if options.programs else "Device kernels"
    lines = [
        f"# {whose}, as ptxas has them",
        "",
        f"Written by `bench/ptxas.py`; nvcc {version}, `-O3`. No GPU took part:",
        "these are sizes, not times. Registers a thread, and bytes of static",
        "shared memory a block where there are some. "
        + describe(problems, options.programs, names),
        "",
        "| kernel | " + " | ".join(architectures) + " |",
        "|---|" + "---|" * len(architectures),
    ]
    for name in names:
        cells = []
        for architecture in architectures:
            kernel = found[architecture].get(name)
            if not kernel:
                cells.append("")
                continue
            shared = f", {kernel['shared']} B" if kernel["shared"] else ""
            local = kernel["spills"][0] if options.programs else 0
            local = f", {local} B local" if local else ""
            cells.append(f"{kernel['registers']}{shared}{local}")
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    text = "\n".join(lines) + "\n"
    if options.output:
        with open(options.output, "w") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
    for problem in problems:
        print(f"ptxas.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
