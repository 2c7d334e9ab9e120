#!/usr/bin/env python3
"""Checks that small copies of dropless models are equal in every variant.

  dropless_forms.py CONFIGS TMP [--mpirun=COMMAND] NAME...

Imports forward passes and training steps (default: all of CONFIGS), and
compiles each in every variant: sliced, in even and uneven chunks of tokens, in
two steps, deduplicated per node, with the schedules of a step. Each must be
equal to the import on terms. Schedules are compiled for threads and must also
equal the interpreter's values: bit for bit, except for weights' gradients that
are summed by chunks, and for deduplicated tokens. With --mpirun ("mpirun ...
-np") one process per rank must have these values, too. TMP is a prefix for
files. Requires moe-translate, moe-opt and moe-run.
"""
import argparse
import os
import subprocess
import sys

SIZES = ["--micro-batch=1", "--seq-len=8", "--hidden-size=4",
         "--expert-ffn-size=4", "--num-experts=4", "--top-k=2", "--layers=2",
         "--dtype=f32", "--routing=dropless"]
# Further options of a model, and another mesh for some.
EXTRA = {"deepseek-v3": ["--num-groups=2", "--top-groups=2"],
         "qwen1.5-moe-a2.7b": ["--shared-ffn-size=4"]}
PARALLEL = {"qwen3-30b-a3b": ["--ep=2", "--tp=4", "--esp=2",
                              "--sequence-parallel"],
            "mixtral-8x22b": ["--ep=4", "--tp=2", "--sequence-parallel"],
            "deepseek-v2-lite": ["--dp=2", "--ep=2", "--tp=2"]}
DROP = "--moe-decompose-all-to-all"
STEPS = ["--moe-split-mesh-axis=axis=ep inner=2",
         "--moe-decompose-all-to-all=mode=hierarchical"]
NODES = [STEPS[0], "--moe-decompose-all-to-all=mode=node-dedup"]
STEP = ("--moe-compile=to=schedule platform="
        + os.path.join(os.path.dirname(__file__), "four-by-two.json"))
# Passes, and whether their result is compiled. Two steps and node deduplication
# need two ranks of a group in a node and two nodes.
FORMS = {
    "drop": ([DROP], False),
    "chunks": (["--moe-pipeline=scope=layer degree=4"], False),
    "drop-uneven-chunks": ([DROP, "--moe-pipeline=scope=layer degree=3",
                            "--moe-schedule"], True),
    "two-steps": (STEPS, False),
    "drop-two-steps": ([DROP, *STEPS, "--moe-schedule"], True),
    "nodes": (NODES, False),
    "nodes-drop-chunks": ([*NODES, DROP, "--moe-pipeline=scope=layer degree=2",
                           "--moe-schedule"], True),
    "layers": ([STEP], True),
    "fsmoe": ([STEP + " schedule=fsmoe"], True),
    "sizes": ([STEP + " schedule=sizes"], False),
}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout}{done.stderr}")


def prove(config, name, phase, tmp, mpirun):
    """The number of variants of a model that were proved and executed."""
    one = f"{tmp}.{name}.{phase}.mlir"
    parallel = PARALLEL.get(name, ["--ep=4", "--tp=2"])
    run("moe-translate", "--import-hf-config", config, *SIZES, *parallel,
        *EXTRA.get(name, []), f"--phase={phase}", "-o", one)
    proved = executed = 0
    for form, (passes, compiled) in FORMS.items():
        if "--ep=2" in parallel and ("two-steps" in form or "nodes" in form):
            continue
        made = f"{tmp}.{name}.{phase}.{form}.mlir"
        run("moe-opt", one, *passes, "--moe-verify-collectives", "-o", made)
        run("moe-run", made, f"--against={one}", "--symbolic")
        proved += 1
        if compiled:
            # The interpreter runs the same variant, so results are equal bit
            # for bit.
            run("moe-run", made, "--backend=host", "--against-backend=interp",
                "--seed=3")
            close = ["--tolerance=1e-5"] if phase == "train" else []
            if "nodes" in form:
                close = ["--tolerance=1e-4"]
            run("moe-run", made, "--backend=host", f"--against={one}",
                "--against-backend=interp", *close)
            if mpirun:
                run(*mpirun, "8", "moe-run", made, "--backend=mpi",
                    "--against-backend=interp", "--seed=3")
            executed += 1
    return proved, executed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("configs")
    parser.add_argument("tmp")
    parser.add_argument("--mpirun", type=str.split)
    parser.add_argument("name", nargs="*")
    arguments = parser.parse_intermixed_args()
    configs, tmp = arguments.configs, arguments.tmp
    names = arguments.name or sorted(
        name[:-5] for name in os.listdir(configs) if name.endswith(".json"))
    for name in names:
        for phase in "fwd", "train":
            proved, executed = prove(os.path.join(configs, name + ".json"),
                                     name, phase, tmp, arguments.mpirun)
            print(f"{name} {phase}: {proved} forms proved, {executed} of them "
                  "executed", flush=True)


main()
