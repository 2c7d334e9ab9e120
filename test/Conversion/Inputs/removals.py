#!/usr/bin/env python3
"""Removes waits and records of compiled schedules, one by one.

  removals.py TMP

Layers with every strategy in 1 to 10 chunks, and two layers of Mixtral, are
compiled to the phase runtime, proved free of races, run in many legal orders,
and run again without each wait and record: at least 1000 removals in all, each
of which must be caught or proved redundant.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]
                       / "Transforms" / "Inputs"))
import proofs  # noqa: E402

tmp = sys.argv[1]
MESH, LENGTH = (4, 2), 92


def schedules():
    """(name, file, flags) of programs."""
    source = proofs.write(tmp + ".mlir", proofs.long_layer(*MESH, LENGTH))
    for name, (first, copies, last) in proofs.DECOMPOSITIONS.items():
        for scope in proofs.SCOPES:
            # The data that one rank collects must have one size.
            for degree in (1, 2, 4) if "1dh" in name else (1, 5, 10):
                flags = [f"--moe-split-mesh-axis=axis=ep "
                         f"inner={proofs.INNER[MESH]}"] if last else []
                yield (f"{name} {scope} {degree}", source, flags + first + [
                    f"--moe-pipeline=degree={degree} dim=2 scope={scope}"
                    + copies] + last + ["--moe-schedule"])


totals = [0, 0, 0]
for name, source, flags in schedules():
    result = proofs.run("moe-opt", source, *flags, "--convert-moe-to-moert",
                        "--moert-verify-streams",
                        "--moert-check-orders=orders=2 remove-events=true",
                        "-o", "/dev/null")
    found = re.search(r"^@main: (\d+) waits and records removed: (\d+) caught, "
                      r"(\d+) redundant$", result.stdout, re.M)
    if result.returncode != 0 or not found:
        proofs.fail(f"{name}: {flags}", result.stdout, result.stderr)
    totals = [a + int(b) for a, b in zip(totals, found.groups())]
print("{} removed, {} caught, {} redundant".format(*totals))
if totals[0] < 1000 or totals[1] < 500 or totals[1] + totals[2] != totals[0]:
    sys.exit("expected at least 1000 removals, 500 of them caught")
