#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of mFabric's four models over circuits, and over a fat tree.

usage: models.py [--models=NAME,NAME] [--rates=N,N] [--utilisations=X,X]
                 [--layers=N] [--traffic=even,zipf] [--check] [--tools=DIR]
                 [PAGE.md]

Simulates a pipeline stage's micro-batch, forward and backward, on
platforms/mfabric-sim-*g.json (SPEC section 4): with circuits as
moe-insert-circuits decides, with circuits as in mFabric's text (Algorithm 1 as
printed, a change before each exchange, blocking for the first), without
circuits, and on a fat tree with all 8 NICs of a server. The platforms' compute
is MF-15's A100 at one utilization; other utilizations, which are part of the
result, scale it.

Writes a page, or prints it. With --check, exit code 1 if our decisions are
slower than mFabric's rule or than no circuits. Nothing here is measured.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONFIGS = ROOT / "examples/configs"
PLATFORMS = ROOT / "platforms"
SERVER = 8

# LLaMA-MoE has no config here: it is LLaMA 7B whose 11008 hidden units form 16
# experts.
LLAMA = dict(architectures=["MixtralForCausalLM"], model_type="mixtral",
             hidden_act="silu", hidden_size=4096, intermediate_size=688,
             num_attention_heads=32, num_key_value_heads=32,
             num_hidden_layers=32, num_local_experts=16, num_experts_per_tok=4,
             rms_norm_eps=1e-5, vocab_size=32000, tie_word_embeddings=False)
# Config, experts and top-k, ep, tp, layers of a stage, micro-batch (Table 1,
# section 7.1). Qwen's config has 60 experts, the paper's Table 1 64, which 16
# ranks divide.
MODELS = {
    "mixtral-8x22b": dict(config="mixtral-8x22b.json", experts=8, top_k=2,
                          ep=8, tp=8, layers=7, batch=16),
    "mixtral-8x7b": dict(config="mixtral-8x7b.json", experts=8, top_k=2,
                         ep=8, tp=4, layers=8, batch=8),
    "qwen-moe": dict(config="qwen1.5-moe-a2.7b.json", experts=64, top_k=4,
                     ep=16, tp=1, layers=6, batch=8),
    "llama-moe": dict(config=None, experts=16, top_k=4, ep=16, tp=1, layers=8,
                      batch=8),
}
LENGTH = 4096
RATES = [100, 200, 400, 800]
UTILISATIONS = [0.3, 0.45, 0.6]


def run(*command):
    done = subprocess.run([str(word) for word in command],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"models.py: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def make_platforms(folder, rate, utilisation):
    """Platforms with circuits, with a fat tree and a NIC per GPU, and with a
    fat tree whose NICs the GPUs of a server share evenly, as with circuits. All
    have compute rates."""
    machine = json.loads((PLATFORMS / f"mfabric-sim-{rate}g.json").read_text())
    machine.update(
        gemm_beta_us_per_mac=2e-6 / (machine["peak_tflops"] * utilisation),
        gemm_origin=f"A100's data sheet at a utilization of {utilisation}")
    circuits = folder / "circuits.json"
    circuits.write_text(json.dumps(machine))
    machine["name"] += "-tree"
    machine["levels"][1]["ranks_per_nic"] = 1
    del machine["circuits"]
    tree = folder / "tree.json"
    tree.write_text(json.dumps(machine))
    machine["name"] += "-shared"
    machine["levels"][1]["ranks_per_nic"] = SERVER
    machine["levels"][1]["bandwidth_GBps"] = rate
    shared = folder / "shared.json"
    shared.write_text(json.dumps(machine))
    return dict(packets=circuits, tree=tree, shared=shared)


def make_program(folder, model, traffic, layers):
    """The step before it is scheduled, and the trace of its gates."""
    config = CONFIGS / model["config"] if model["config"] else \
        folder / "llama-moe.json"
    if not model["config"]:
        config.write_text(json.dumps(LLAMA))
    step = folder / "step.mlir"
    options = ["--sequence-parallel"] if model["tp"] > 1 else []
    run("moe-translate", "--import-hf-config", config, "--phase=train",
        f"--ep={model['ep']}", f"--tp={model['tp']}", "--routing=dropless",
        f"--num-experts={model['experts']}", f"--micro-batch={model['batch']}",
        f"--seq-len={LENGTH}", f"--layers={layers}", *options, "-o", step)
    inside = SERVER // model["tp"]
    if inside > 1:
        split = folder / "split.mlir"
        run("moe-opt", step, f"--moe-split-mesh-axis=axis=ep inner={inside}",
            "-o", split)
        step = split
    trace = folder / "trace.json"
    pattern = ["even"] if traffic == "even" else ["zipf", "--exponent=0.5"]
    trace.write_text(run(
        "moe-plan", "traffic", f"--generate={pattern[0]}", *pattern[1:],
        f"--ranks={model['ep']}", f"--experts={model['experts']}",
        f"--tokens={model['batch'] * LENGTH}", f"--top-k={model['top_k']}",
        f"--layers={layers}"))
    return step, trace


# Variants of circuits.
WAYS = {
    "block": "policy=block",
    "keep": "policy=keep",
    "predict": "policy=predict",
    "mfabric": "policy=block rule=always planner=printed",
    "once": "policy=predict rule=once",
}
# Speed relative to the fat tree, derived from the paper's performance per
# dollar and prices (SPEC MF-19).
PUBLISHED = {100: (.83, 1.03), 200: (.79, 1.02), 400: (.87, 1.0),
             800: (.85, 1.03)}
COLUMNS = ["shared", "tree", "packets", "mfabric", "once", "block", "keep",
           "predict"]


def simulate(folder, step, trace, platforms):
    """Step time in ms for each variant, and how often circuits change."""
    times = {}
    common = [f"--moe-load-traffic=file={trace}", "--moe-schedule"]
    for name, platform in platforms.items():
        out = folder / f"{name}.mlir"
        run("moe-opt", step, f"--moe-load-platform=file={platform}", *common,
            "-o", out)
        times[name] = get_ms(out)
    for name, options in WAYS.items():
        out = folder / f"{name}.mlir"
        run("moe-opt", folder / "packets.mlir",
            f"--moe-insert-circuits={options}", "--moe-verify-schedule", "-o",
            out)
        times[name] = get_ms(out)
        times[f"{name} changes"] = out.read_text().count("ocs.reconfigure")
    return times


def get_ms(program):
    return json.loads(run("moe-sim", program, "--json"))["makespan_us"] / 1e3


HEAD = f"""# mFabric's models over circuits, predicted

`bench/circuits/models.py`: one micro-batch of one pipeline stage, forward and
backward, of layers that drop nothing, simulated by moe-sim on
`platforms/mfabric-sim-100g.json` and its faster siblings, whose change of
circuits takes 25 ms and whose links are up at once. Times are milliseconds.
Nothing here is measured, and nothing was fitted to the paper's results.

The paper prints no compute times: the platforms have an A100's 312 TFLOP/s at a
utilization of 0.45, and here at the one in the second column (SPEC MF-15). Expert
parallelism, tensor parallelism and micro-batches are those of the paper's Table 1
and section 7.1, layers those of a stage. All ways run one schedule, made by
moe-schedule without chunks.

| column | network |
|---|---|
| shared | a fat tree of 8 NICs a server, which its GPUs share evenly, as circuits are priced (SPEC MF-9) |
| tree | the same with a NIC for each GPU, so that the busiest GPU's NIC decides |
| packets | the 2 electrical NICs alone |
| mFabric | Algorithm 1 as printed, a change in front of every exchange that knows its demand, blocking for a layer's first (`policy=block rule=always planner=printed`) |
| once | circuits for all layers, changed once |
| block, keep, predict | as `moe-insert-circuits` decides, with its three policies; changes in brackets |

"of shared" is the speed of `block` beside the fat tree; "published" what the
paper's performance per dollar implies with its prices (SPEC MF-19): its figures
print no numbers. `*` marks where `block`, which knows no more than mFabric does,
is not within 5 % of the fat tree.
"""
ACCOUNT = """
## What to make of it

- All ports are dark when a step begins, so that the first change is part of each
  figure: `block` and mFabric wait for it, `keep` runs a first exchange without
  circuits, `predict` changes before the gate. In a job that goes on, circuits
  would be up.
- `predict` knows the traffic of the step, which no predictor does: a bound for the
  same decisions.
- The fat tree of the paper is non-blocking with a NIC for each GPU. With uneven
  traffic the busiest GPU's NIC decides there, where delegates spread what a
  server sends over its NICs, so that circuits may look faster than it; `shared`
  is the fairer of the two, and "of shared" beside it.
- Two servers hold 16 ranks of Qwen-MoE and LLaMA-MoE (SPEC MF-18, dense): all
  circuits join these two, and all plans are one. The paper's "6 circuits over 16
  participants" has a rank a server and is not computed here.
- Left out: pipeline bubbles, other stages, data parallelism between groups,
  congestion of packets, which the paper's simulator has; NICs 5.67 s later
  (SPEC MF-8); TopoOpt. Traffic is drawn (`zipf`: the expert at place p gets
  p^-0.5, places are drawn for each layer), the paper's is recorded.
- Qwen-MoE has 64 experts here as in the paper's Table 1, LLaMA-MoE is written
  from its description: 16 parts of LLaMA 7B's, 4 of them for a token.
"""


def write_rows(name, traffic, rows):
    lines = [f"## {name}, {traffic} routing\n",
             "| Gb/s | utilization | shared | tree | packets | mFabric | once | "
             "block | keep | predict | of shared | published |",
             "|" + "---|" * 12]
    for rate, utilisation, times in rows:
        cells = [str(rate), str(utilisation)]
        for column in COLUMNS:
            changes = times.get(f"{column} changes")
            cells.append(f"{times[column]:.1f}" +
                         (f" ({changes})" if column in COLUMNS[5:] else ""))
        speed = times["shared"] / times["block"]
        low, high = PUBLISHED[rate]
        cells += [f"{speed:.3f}" + ("" if speed >= 1 / 1.05 else " *"),
                  f"{low:.2f}-{high:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def list_of(kind, choices=None):
    def read(text):
        values = [kind(word) for word in text.split(",")]
        for value in values:
            if choices and value not in choices:
                raise argparse.ArgumentTypeError(
                    f"expected some of {', '.join(map(str, choices))}, got "
                    f"'{value}'")
        return values
    return read


def main():
    parser = argparse.ArgumentParser(
        description="Simulates mFabric's models over circuits.")
    parser.add_argument("--models", type=list_of(str, list(MODELS)),
                        default=list(MODELS))
    parser.add_argument("--rates", type=list_of(int, RATES), default=RATES)
    parser.add_argument("--utilisations", type=list_of(float),
                        default=UTILISATIONS)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--traffic", type=list_of(str, ["even", "zipf"]),
                        default=["even", "zipf"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tools", type=pathlib.Path,
                        default=ROOT / "build/release/bin")
    parser.add_argument("page", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.layers is not None and arguments.layers < 1:
        parser.error(f"expected at least 1 layer, got {arguments.layers}")
    os.environ["PATH"] = f"{arguments.tools}:{os.environ['PATH']}"
    parts, slower, speeds = [HEAD], [], []
    for name in arguments.models:
        model = MODELS[name]
        for traffic in arguments.traffic:
            rows = []
            for rate in arguments.rates:
                for utilisation in arguments.utilisations:
                    with tempfile.TemporaryDirectory() as folder:
                        folder = pathlib.Path(folder)
                        step, trace = make_program(
                            folder, model, traffic,
                            arguments.layers or model["layers"])
                        times = simulate(
                            folder, step, trace,
                            make_platforms(folder, rate, utilisation))
                    rows.append((rate, utilisation, times))
                    speeds.append(times["shared"] / times["block"])
                    for other in ("mfabric", "packets"):
                        if times["block"] > times[other] * (1 + 1e-9):
                            slower.append(f"{name}, {traffic}, {rate} Gb/s: "
                                          f"{times['block']:.3f} ms, {other} "
                                          f"{times[other]:.3f}")
            parts.append(write_rows(name, traffic, rows))
    page = "\n".join(parts) + ACCOUNT + f"""- Speeds of `block` beside `shared` are {min(speeds):.3f} to {max(speeds):.3f}
  in {len(speeds)} rows; the aim is {1 / 1.05:.3f}.
"""
    if arguments.page:
        arguments.page.write_text(page)
    else:
        print(page, end="")
    if arguments.check and slower:
        sys.exit("models.py: expected circuits as decided to be no slower, got\n"
                 + "\n".join(slower))


if __name__ == "__main__":
    main()
