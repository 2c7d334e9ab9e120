"""Proves every variant of a training step equal to the plain one.

usage: prove_forms.py TEMPORARY PLATFORM CONFIG [options of the import...]

Compiles each strategy and each schedule for the platform, in chunks if it takes
a number of them. Each is proved equal on terms and executed by the interpreter
with the plain step's bits; the last one also as compiled code. Prints the
number of equal variants.
"""

import subprocess
import sys

FORMS = ["strategy=baseline", "strategy=o1", "strategy=o2 degree=2",
         "strategy=o3 degree=2", "strategy=hierarchical", "strategy=auto"]
FORMS += [f"schedule={schedule}"
          for schedule in ("deepspeed", "megatron", "tutel", "tutel-improved",
                           "lina", "fsmoe-no-iio", "fsmoe")]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    temporary, platform, config, *options = sys.argv[1:]
    plain, form = temporary + ".plain.mlir", temporary + ".form.mlir"
    run("moe-translate", "--import-hf-config", config, "--phase=train",
        "--dtype=f32", *options, "-o", plain)
    for name in FORMS:
        run("moe-opt", plain, "-o", form,
            f"--moe-compile=platform={platform} to=schedule {name}")
        for way in (["--symbolic"], []):
            said = run("moe-run", plain, "--against=" + form, *way)
            if "equal: " not in said or "unequal" in said:
                sys.exit(f"{name}: {said}")
    said = run("moe-run", form, "--backend=host", "--against-backend=interp")
    if "equal: " not in said or "unequal" in said:
        sys.exit(f"host: {said}")
    print(len(FORMS), "forms equal")


main()
