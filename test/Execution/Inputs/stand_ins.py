#!/usr/bin/env python3
"""Executes compiled variants of a model for GPUs on the CPU emulation.

  stand_ins.py CONFIGS MODEL TMP [FORM...]

Imports a small copy of CONFIGS/MODEL.json, forward and as a training step, and
compiles it in every variant (default: all): as it is, with every strategy, in
chunks, and with the schedule of every system. Executes each with one thread per
rank, at least 8 ranks, on the emulation of the CUDA driver, NCCL and cuBLAS.
All results must equal the interpreter's results for the imported program,
within the tolerance of their element type. Prints a line for each, and fails if
one is rejected or differs.

With STAND_INS_ON=gpus in the environment the ranks are processes on GPUs
instead (bench/gpu/ranks.py).
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

# Small copies. Sizes differ, so that shapes are odd, even, and wider than a
# warp; meshes differ, so that each axis takes every width.
SIZES = ("--seq-len={} --hidden-size={} --expert-ffn-size={} --num-experts={} "
         "--top-k=2 --capacity-factor=2 --micro-batch=1")
MODELS = {
    "deepseek-v2-lite": SIZES.format(8, 12, 8, 4) +
    " --shared-ffn-size=4 --ep=2 --tp=4",
    "deepseek-v3": SIZES.format(8, 4, 4, 4) +
    " --shared-ffn-size=4 --num-groups=2 --top-groups=2 --ep=4 --tp=2"
    " --sequence-parallel",
    "ernie-4.5-21b-a3b": SIZES.format(8, 4, 4, 4) +
    " --shared-ffn-size=4 --ep=4 --tp=2",
    "gpt2-xl-moe": SIZES.format(8, 8, 6, 4) + " --ep=4 --tp=2",
    "gpt-oss-120b": SIZES.format(8, 12, 8, 4) + " --ep=4 --tp=2",
    "grok-1": SIZES.format(8, 4, 4, 4) + " --dp=2 --ep=2 --tp=2",
    "llama4-scout-17b-16e": SIZES.format(8, 4, 4, 4).replace(
        "--top-k=2", "--top-k=1") + " --shared-ffn-size=4 --ep=4 --tp=2",
    "mixtral-8x22b": SIZES.format(8, 4, 6, 4) + " --dp=2 --ep=2 --tp=2",
    "mixtral-8x7b": SIZES.format(16, 40, 10, 4) + " --ep=4 --tp=2",
    "olmoe-1b-7b": SIZES.format(8, 4, 4, 8) + " --ep=8 --tp=1",
    "qwen1.5-moe-a2.7b": SIZES.format(8, 4, 4, 4) +
    " --shared-ffn-size=4 --dp=2 --ep=2 --tp=2",
    "qwen3-235b-a22b": SIZES.format(8, 8, 4, 8) +
    " --ep=4 --tp=2 --sequence-parallel",
    "qwen3-30b-a3b": SIZES.format(8, 4, 4, 8) + " --ep=8 --tp=2",
}

STRATEGIES = ["baseline", "o1", "o2", "o3", "hierarchical"]
SYSTEMS = ["deepspeed", "megatron", "tutel", "tutel-improved", "lina",
           "fsmoe-no-iio", "fsmoe", "orders", "sizes", "best"]
FORMS = {"as-imported": None, "layers": "schedule=layers"}
FORMS.update((name, f"strategy={name}") for name in STRATEGIES)
FORMS["chunks"] = "strategy=auto degree=2"
FORMS["o3-chunks"] = "strategy=o3 degree=2"
FORMS.update((name, f"schedule={name}") for name in SYSTEMS)

# If tokens differ on all ranks, no slice applies; if the ranks of an all-to-all
# are all on different nodes, or all on one, there is no hierarchy.
DROPS = ["o1", "o2", "o3", "o3-chunks"]
IMPOSSIBLE = {"deepseek-v2-lite": ["hierarchical"], "deepseek-v3": DROPS,
              "grok-1": ["hierarchical"],
              "mixtral-8x22b": ["hierarchical"], "olmoe-1b-7b": DROPS,
              "qwen1.5-moe-a2.7b": ["hierarchical"], "qwen3-235b-a22b": DROPS}

# A device sums in 32-bit floats and the interpreter in 64-bit floats; each
# rounds tensors to the element type. Relative to the largest number of a
# result.
TOLERANCES = {"f32": "1e-5", "bf16": "1.6e-2", "f16": "2e-3"}
# In the first layer, a gate's scores are sums of products of drawn numbers,
# which 32-bit floats represent. In the second layer they depend on rounded
# values, in narrow types so coarsely that two scores may swap. A token then
# selects another expert, which is another result but no error.
LAYERS = {"f32": 2, "bf16": 1, "f16": 1}
# The narrow types are only tested in these variants.
NARROW = ["layers", "best"]

ON_GPUS = os.environ.get("STAND_INS_ON") == "gpus"
here = pathlib.Path(__file__).resolve().parent
# The drawn numbers are small, because f16 cannot hold gradients of greater
# ones.
MAGNITUDES = {"f32": 1, "bf16": 1, "f16": 0.5}
# Nodes of four ranks; as many nodes as a model needs.
FOUR = here.parents[1] / "tools/moe-sim/Inputs/four.json"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True,
                          text=True)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")


def make_platform(path):
    platform = json.loads(FOUR.read_text())
    platform["levels"][-1]["ranks"] = 16
    path.write_text(json.dumps(platform))
    return path


def compile(model, plain, form, platform, program):
    """Returns False if the compiler reports that there is no such variant."""
    command = ["moe-opt", plain, f"--moe-compile=platform={platform} "
               f"to=schedule {FORMS[form]}", "-o", program]
    if form not in IMPOSSIBLE.get(model, []):
        must(*command)
        return True
    done = run(*command)
    if done.returncode == 0 or "is possible" not in done.stderr:
        sys.exit(f"{model}: expected no form {form}, got\n{done.stderr}")
    return False


def get_problem(done):
    """The error of a failed run, in one line."""
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    words = (done.stdout.splitlines() + errors) or [done.stderr]
    return " / ".join(word.strip()[:600] for word in words[:3] + words[-1:])


def count_ranks(model):
    """The ranks of a small copy's mesh."""
    return math.prod(map(int, re.findall(r"--(?:dp|ep|tp)=(\d+)",
                                         MODELS[model])))


def check(model, program, plain, dtype):
    """The result of executing a program, and whether it is correct."""
    command = ["moe-run", program, "--backend=nccl",
               f"--against={plain}", "--against-backend=interp",
               f"--tolerance={TOLERANCES[dtype]}",
               f"--magnitude={MAGNITUDES[dtype]}"]
    if ON_GPUS:
        done = run(sys.executable, here.parents[2] / "bench/gpu/ranks.py",
                   count_ranks(model), *command)
    else:
        done = run(*command, "--stand-ins")
    equal = re.search(r"^equal within .*: (\d+) ranks, \d+ bytes, (.*)$",
                      done.stdout, re.M)
    if done.returncode != 0 or not equal:
        return False, get_problem(done)
    if int(equal[1]) < 8:
        return False, f"expected at least 8 ranks, got {equal[1]}"
    if not ON_GPUS and "nothing ran on a GPU" not in done.stderr:
        return False, "expected to read that nothing ran on a GPU"
    return True, equal[2]


def main(configs, model, tmp, *wanted):
    if model not in MODELS:
        sys.exit(f"expected one of {', '.join(MODELS)}, got {model}")
    tmp = pathlib.Path(tmp)
    tmp.mkdir(parents=True, exist_ok=True)
    platform = make_platform(tmp / "platform.json")
    count, failed = 0, 0
    for phase in ["fwd", "train"]:
        for dtype in TOLERANCES:
            plain = tmp / f"{phase}.{dtype}.mlir"
            must("moe-translate", "--import-hf-config",
                 f"{configs}/{model}.json", *MODELS[model].split(),
                 f"--layers={LAYERS[dtype]}", f"--phase={phase}",
                 f"--dtype={dtype}", "-o", plain)
            for form in FORMS:
                if (wanted and form not in wanted
                        or dtype != "f32" and form not in NARROW):
                    continue
                program = plain
                if FORMS[form]:
                    program = tmp / f"{phase}.{dtype}.{form}.mlir"
                    if not compile(model, plain, form, platform, program):
                        continue
                good, words = check(model, program, plain, dtype)
                print(f"{model} {phase} {dtype} {form}: "
                      f"{'equal' if good else 'FAILED'}, {words}", flush=True)
                count += 1
                failed += not good
    print(f"{model}: {count} programs executed, {failed} failed")
    sys.exit(1 if failed or not count else 0)


main(*sys.argv[1:])
