"""Compares the rows of bench/results/ptxas-kernels.md with the device kernels
of the library.

  kernel_rows.py SOURCES PAGE
"""
import pathlib
import re
import sys

sources, page = map(pathlib.Path, sys.argv[1:])
kernels = set()
for file in (sources / "runtime/lib/nccl").rglob("*.cu*"):
    text = file.read_text()
    kernels.update(
        re.findall(
            r'extern "C" __global__ void\s+(?:__launch_bounds__\([^)]*\)\s+)?'
            r"(moert_\w+)\s*\(",
            text,
        )
    )
    kernels.update(re.findall(r"^MOERT_GROUPED\((moert_\w+),", text, re.MULTILINE))
rows = set(re.findall(r"^\| `(\w+)` \|", page.read_text(), re.MULTILINE))
problems = [f"{name}: expected a row, found none" for name in kernels - rows]
problems += [f"{name}: expected a kernel, found none" for name in rows - kernels]
print("\n".join(sorted(problems)) or f"{len(kernels)} kernels, each with its row")
sys.exit(bool(problems) or len(kernels) < 40)
