"""Checks every published config: whole layers compile, and small copies are
equal.

usage: families.py CONFIGS TEMPORARY PLATFORM SMALL_PLATFORM [NAME...]

Imports two layers of each model at their real sizes, forward and training, and
compiles them to schedules for PLATFORM; then creates a small copy of the
training step and proves that its compilation for SMALL_PLATFORM is equal, on
terms and on values. Default: all of CONFIGS.
"""

import pathlib
import subprocess
import sys

SMALL = ["--micro-batch=1", "--seq-len=8", "--hidden-size=4",
         "--expert-ffn-size=4", "--num-experts=4", "--top-k=2", "--layers=2",
         "--ep=4", "--tp=2", "--dtype=f32", "--phase=train",
         "--capacity-factor=2"]
# Further requirements of a small copy of a model.
EXTRA = {"deepseek-v3": ["--num-groups=2", "--top-groups=2"],
         "deepseek-v3.2": ["--num-groups=2", "--top-groups=2"],
         "qwen1.5-moe-a2.7b": ["--shared-ffn-size=4"],
         "qwen3-next-80b-a3b": ["--shared-ffn-size=4"]}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    configs, temporary, platform, small, *names = sys.argv[1:]
    plain, made = temporary + ".plain.mlir", temporary + ".made.mlir"
    count = 0
    for config in sorted(pathlib.Path(configs).glob("*.json")):
        name = config.stem
        if names and name not in names:
            continue
        for phase in ("fwd", "train"):
            run("moe-translate", "--import-hf-config", config, "--ep=4",
                "--tp=2", "--micro-batch=1", "--seq-len=2048", "--layers=2",
                f"--phase={phase}", "-o", plain)
            run("moe-opt", plain, "-o", made,
                f"--moe-compile=platform={platform} to=schedule")
        run("moe-translate", "--import-hf-config", config, *SMALL,
            *EXTRA.get(name, []), "-o", plain)
        run("moe-opt", plain, "-o", made,
            f"--moe-compile=platform={small} to=schedule strategy=o3 degree=2")
        for way in (["--symbolic"], []):
            said = run("moe-run", plain, "--against=" + made, *way)
            if "equal: " not in said or "unequal" in said:
                sys.exit(f"{name}: {said}")
        print(name, "compiles, and a small copy is equal", flush=True)
        count += 1
    print(count, "models")


main()
