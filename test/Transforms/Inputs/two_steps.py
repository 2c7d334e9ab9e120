#!/usr/bin/env python3
"""Compiles small models in one step and in two.

  two_steps.py CONFIGS TMP forward|train OPTIONS

For every two phases M < Q, compiles a program to M, and the printed result from
the phase after M to Q. The output must equal a compilation to Q at once
(generic form, without locations). OPTIONS are the options of the phase
`choose`. All models share one run, each on its own.
"""
import pathlib
import subprocess
import sys

CONFIGS, TMP, PHASE, OPTIONS = sys.argv[1:]
MODELS = ("mixtral-8x7b", "qwen3-30b-a3b", "olmoe-1b-7b", "deepseek-v2-lite")
PHASES = ("import", "choose", "decompose", "pipeline", "schedule", "runtime",
          "llvm")
SEPARATOR = "// -----\n"


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
    return done.stdout


def compile_text(text, options):
    return run("moe-opt", f"--moe-compile={options}", "--split-input-file",
               "--mlir-print-op-generic", text=text)


def main():
    text = SEPARATOR.join(
        run("moe-translate", "--import-hf-config",
            str(pathlib.Path(CONFIGS) / f"{model}.json"), "--ep=4", "--tp=2",
            "--dp=2", "--sequence-parallel", "--micro-batch=1", "--seq-len=64",
            "--layers=2", "--hidden-size=64", "--dtype=f32",
            *(["--phase=train"] if PHASE == "train" else []))
        for model in MODELS)
    whole = {}
    for phase in PHASES:
        choices = OPTIONS if phase != "import" else ""
        whole[phase] = compile_text(
            text, f"to={phase} platform=a800-2x8 {choices}")
    equal = 0
    for i, first in enumerate(PHASES):
        for last in PHASES[i + 1:]:
            choices = OPTIONS if first == "import" else ""
            twos = compile_text(
                whole[first], f"from={PHASES[i + 1]} to={last} {choices}")
            for model, one, two in zip(MODELS, whole[last].split(SEPARATOR),
                                       twos.split(SEPARATOR), strict=True):
                if two.strip() != one.strip():
                    path = pathlib.Path(TMP)
                    path.with_suffix(".one.mlir").write_text(one)
                    path.with_suffix(".two.mlir").write_text(two)
                    sys.exit(f"{model} {PHASE} {OPTIONS}: to {first} and on to "
                             f"{last} differs: {path}.one.mlir, .two.mlir")
                equal += 1
    print(f"{equal} pairs of phases equal")


if __name__ == "__main__":
    main()
