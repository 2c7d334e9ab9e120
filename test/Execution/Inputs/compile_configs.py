"""Compiles each model of a folder for GPUs, forward and training.

usage: compile_configs.py CONFIGS [NAME...]
Writes NAME.PHASE.ptx to the working directory, and prints the contents of each.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    return result.stdout


def main():
    count = 0
    configs, *names = sys.argv[1:]
    for config in sorted(pathlib.Path(configs).glob("*.json")):
        if names and config.stem not in names:
            continue
        for phase in ("fwd", "train"):
            name = f"{config.stem}.{phase}"
            run("moe-translate", "--import-hf-config", config, "--ep=4", "--tp=2",
                "--micro-batch=1", "--seq-len=64", "--layers=1",
                f"--phase={phase}", "-o", f"{name}.mlir")
            run("moe-translate", f"{name}.mlir", "--emit=object",
                "--target=nccl", "-o", f"{name}.o")
            kernels = run(sys.executable, HERE / "take_ptx.py", f"{name}.o",
                          f"{name}.ptx")
            print(f"{config.stem} {phase}: {kernels}", end="")
            count += 1
    print(f"{count} programs")


main()
