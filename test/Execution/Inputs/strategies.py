#!/usr/bin/env python3
"""Executes the variants of the strategy proofs as compiled code.

  strategies.py DECOMPOSITION TMP [mpi]

A layer on a mesh of 4 x 2, decomposed and cut in every scope into 1, 4 and
three uneven chunks, scheduled or left to moe-run, equals the baseline in every
element; and the interpreter agrees with compiled code on the baseline. With
`mpi` the variants run on 8 processes, and all of their results must equal the
interpreter's results for the baseline.
"""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "Transforms" / "Inputs"))
import proofs  # noqa: E402

decomposition, tmp, *rest = sys.argv[1:]
on_mpi = rest == ["mpi"]
LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--quiet",
          "--mca", "mpi_yield_when_idle", "1", "-np"]
mesh, length = (4, 2), 92
first, option_of_form, last = proofs.DECOMPOSITIONS[decomposition]
before = proofs.write(tmp + ".before.mlir", proofs.long_layer(*mesh, length))


def results(backend, program):
    """The printed results of a program, without the backend's name."""
    launch = LAUNCH + [str(mesh[0] * mesh[1])] if backend == "mpi" else []
    done = subprocess.run(launch + ["moe-run", program, f"--backend={backend}"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"moe-run --backend={backend} failed:\n{done.stderr}")
    name, rest = done.stdout.split(":", 1)
    if name != backend or "checksum" not in rest:
        sys.exit(f"moe-run --backend={backend} printed\n{done.stdout}")
    return rest


if on_mpi:
    expected = results("interp", before)
else:
    done = subprocess.run([sys.executable, str(here / "host.py"), before])
    if done.returncode != 0:
        sys.exit("the baseline differs")
options = ["degree=1", "degree=4"]
if "1dh" not in decomposition:
    options.append(f"degree=3 sizes=1,{length - 40},39")
count = 0
for scope in proofs.SCOPES:
    for option in options:
        after = tmp + ".after.mlir"
        flags = ([f"--moe-split-mesh-axis=axis=ep inner={proofs.INNER[mesh]}"]
                 if last else []) + first
        flags += [f"--moe-pipeline={option} dim=2 scope={scope}"
                  + option_of_form] + last
        # moe-run itself schedules every other one.
        if count % 2 == 0:
            flags += ["--moe-schedule"]
        result = proofs.run("moe-opt", before, *flags, "-o", after)
        if result.returncode != 0:
            proofs.fail(f"moe-opt {flags} failed", result.stderr)
        if not on_mpi:
            proofs.compare(after, before, True, "--backend=host")
        elif (got := results("mpi", after)) != expected:
            sys.exit(f"{flags}: the interpreter has\n{expected}\nmpi\n{got}")
        count += 1
print(f"{decomposition}: {count} forms executed")
