#!/usr/bin/env python3
# Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the gain of choosing variants, degrees and circuits by a trace's
counts.

usage: by_counts.py [--check] [--programs=N] [--circuits=N] [--counts=FILE]
                    [--bursts=FILE] [--seed=S] [--tools=DIR] [TABLE.md]

Dropless layers are compiled three times: for even routing, for the mean over a
trace (traffic=), and for its 95th percentile (robust); each of the three is
simulated at every step of the trace. moe-plan draws the traces; --counts adds
traces from the tokens per expert of OLMoE and Mixtral (expert_counts of the
models of that file, by domain and layer). --bursts is a trace that is used as
it is. --circuits is a number of training steps with optical circuits, which are
planned for even routing and for the mean, before the gate has run
(policy=predict); the platforms have no compute rates, so bench/circuits/models.py
gives them.

Writes a table, or prints it. With --check or a file, exit code 1 if the choice
by counts is slower over the trace than the choice for even routing, or the
robust choice slower at the 95th percentile than the other one, by more than the
platform's uncertainty; or if the robust choice gains nothing on --bursts.
Everything is predicted, nothing measured.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "bench/circuits"))
import models  # noqa: E402

CONFIGS = ROOT / "examples/configs"
PLATFORMS = ROOT / "platforms"
# Config, its options, platform: the ranks of a node share its links.
PROGRAMS = [
    ("mixtral-8x7b", dict(ep=8, tp=4), "dgx-h100"),
    ("mixtral-8x7b", dict(ep=8, tp=2), "a800-2x8"),
    ("olmoe-1b-7b", dict(ep=16, tp=2), "fsmoe-b"),
    ("olmoe-1b-7b", dict(ep=32, tp=1), "dgx-h100"),
    ("mixtral-8x22b", dict(ep=4, tp=4), "fsmoe-b"),
]
TOKENS = [1024, 4096]
STEPS = 20
# Steps of bench/circuits/models.py, and the rate of a NIC.
CIRCUITS = [("mixtral-8x7b", 100), ("mixtral-8x22b", 100),
            ("mixtral-8x7b", 400)]
LAYERS = 2


HEAD = """# Forms and degrees by the counts of a trace, predicted

`bench/dispatch/by_counts.py`: one layer, forward, compiled for even routing, for
the mean over the trace's steps (`traffic=`), and for their 95th percentile
(`robust`); each is simulated at all steps of the trace. "whole" sends all rows
to every rank, "dropped" once to ranks with the same. Of `real counts` steps are
the layers and domains that the counts of OLMoE and Mixtral are of (allenai/OLMoE,
scripts/routing_output), `bursts` is `examples/traffic/bursts.json`. Nothing here
is measured. No choice by counts was slower over its trace than the one for even
routing, and no robust one at the 95th percentile than either.

"""

CIRCUITS_HEAD = """## Circuits by the counts of a trace, predicted

A training step of two layers on mfabric-sim-100g and -400g (an A100's compute at
45 %), scheduled with circuits that are planned for even routing and for the mean
over the trace, before the gate has run (`moe-insert-circuits=policy=predict`);
each is simulated at all steps of the trace.
"""


def run(*command):
    done = subprocess.run([str(word) for word in command],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"by_counts.py: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def get_sizes(config):
    """Experts and top-k of a model, under the keys of its config."""
    config = json.loads((CONFIGS / f"{config}.json").read_text())
    names = ("num_local_experts", "num_experts", "n_routed_experts")
    return (next(config[name] for name in names if name in config),
            config["num_experts_per_tok"])


def draw(experts, top_k, ranks, tokens, rng):
    """A trace of one layer, and its description."""
    pattern = rng.choice(["even", "zipf", "hot", "communities", "drifting"])
    options = []
    if pattern in ("zipf", "drifting"):
        options.append(f"--exponent={rng.choice([0.3, 0.6, 1.0])}")
    if pattern in ("hot", "communities"):
        options.append(f"--share={rng.choice([0.2, 0.5, 0.8])}")
    if pattern == "drifting":
        options.append(f"--drift={rng.choice([0.1, 0.3])}")
    seed = rng.randrange(1000)
    text = run("moe-plan", "traffic", f"--generate={pattern}",
               f"--ranks={ranks}", f"--experts={experts}",
               f"--tokens={tokens}", f"--top-k={top_k}", f"--steps={STEPS}",
               f"--seed={seed}", *options)
    words = [pattern] + [option.strip("-").replace("=", " ")
                         for option in options] + [f"seed {seed}"]
    return json.loads(text), ", ".join(words)


def take(counts, model, experts):
    """The layers and domains of a model as steps; counts of one row apply to
    all ranks. None if the model has another number of experts."""
    rows = [row for layers in counts[model]["expert_counts"].values()
            for row in layers]
    if len(rows[0]) != experts:
        return None
    return {"steps": [{"step": i, "layers": [{"layer": "0", "counts": [row]}]}
                      for i, row in enumerate(rows)]}


def compare(program, platform, trace, folder):
    """Mean and 95th percentile of the three choices over a trace, and whether
    they are the same choice."""
    file = folder / "trace.json"
    file.write_text(json.dumps(trace))
    made, texts = {}, {}
    for name, options in (("even", ""), ("mean", f"traffic={file}"),
                          ("p95", f"traffic={file} robust")):
        out = folder / f"{name}.mlir"
        run("moe-opt", program, f"--moe-compile=to=pipeline platform={platform} {options}",
            "-o", out)
        texts[name] = "\n".join(line for line in out.read_text().split("\n")
                                if not line.startswith("module"))
        made[name] = json.loads(
            run("moe-sim", out, f"--platform={platform}",
                f"--over-trace={file}", "--json"))["over_trace"]
    return made, texts


def describe(text):
    """Describes the variant of a layer briefly."""
    words = ["dropped" if "moe.drop" in text else "whole"]
    if "moe.pipeline" in text:
        degree = text.split("moe.pipeline degree ")[1].split()[0]
        words.append(f"in {degree} chunks")
    return " ".join(words)


def compare_circuits(model, rate, traces, trace, folder):
    """Step times over a trace with circuits that were planned for each of
    several traces, and how often they change."""
    platform = models.make_platforms(folder, rate, 0.45)["packets"]
    step, _ = models.make_program(folder, model, "even", LAYERS)
    judged = folder / "judged.json"
    judged.write_text(json.dumps(trace))
    made = {}
    for name, planned in traces.items():
        file, out = folder / f"{name}.json", folder / f"{name}.mlir"
        file.write_text(json.dumps(planned))
        run("moe-opt", step, f"--moe-load-platform=file={platform}",
            f"--moe-load-traffic=file={file}", "--moe-schedule",
            *(["--moe-insert-circuits=policy=predict"] if name != "packets"
              else []), "--moe-verify-schedule", "-o", out)
        made[name] = json.loads(run("moe-sim", out, f"--over-trace={judged}",
                                    "--json"))["over_trace"]
        made[name]["changes"] = out.read_text().count("ocs.reconfigure")
    return made


def judge_circuits(number, counts, folder, rng, problems):
    """Rows of the table of circuits."""
    rows = []
    for i in range(number):
        name, rate = CIRCUITS[i % len(CIRCUITS)]
        model = dict(models.MODELS[name], batch=1)
        sizes = model["experts"], model["top_k"], model["ep"], models.LENGTH
        real = {"mixtral-8x7b": "mistral"}.get(name)
        if counts and real and i >= len(CIRCUITS):
            # One run each.
            if i >= 2 * len(CIRCUITS):
                continue
            trace, what = take(counts, real, model["experts"]), "real counts"
        else:
            trace, what = draw(*sizes, rng)
        # All layers are alike.
        for step in trace["steps"]:
            step["layers"] = [dict(step["layers"][0], layer=str(layer))
                              for layer in range(LAYERS)]
        share = model["top_k"] * models.LENGTH // model["experts"]
        even = {"counts": [[share] * model["experts"]] * model["ep"]}
        made = compare_circuits(model, rate, dict(packets=even, even=even,
                                                  mean=trace), trace, folder)
        machine = json.loads((PLATFORMS / f"mfabric-sim-{rate}g.json")
                             .read_text())
        slack = 1 + machine.get("uncertainty", 0)
        for other in ("even", "packets"):
            if made["mean"]["mean_us"] > made[other]["mean_us"] * slack + 0.1:
                problems.append(
                    f"{name}, circuits, {rate}G, {what}: mean_us of mean "
                    f"{made['mean']['mean_us']:.1f}, of {other} "
                    f"{made[other]['mean_us']:.1f}")
        mean = made["mean"]["mean_us"]
        rows.append([name, f"ep {model['ep']} tp {model['tp']}", f"{rate}G",
                     what, made["even"]["changes"], made["mean"]["changes"],
                     f"{made['packets']['mean_us']:.0f}",
                     f"{made['even']['mean_us']:.0f}", f"{mean:.0f}",
                     f"{made['even']['mean_us'] / mean:.3f}",
                     f"{made['even']['p95_us'] / made['mean']['p95_us']:.3f}"])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--circuits", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--counts", type=pathlib.Path)
    parser.add_argument("--bursts", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tools", type=pathlib.Path,
                        default=ROOT / "build/release/bin")
    parser.add_argument("table", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    os.environ["PATH"] = f"{arguments.tools}:{os.environ['PATH']}"
    rng = random.Random(arguments.seed)
    counts = {}
    if arguments.counts:
        counts = json.loads(arguments.counts.read_text())

    rows, problems, lowered = [], [], False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def judge(config, options, machine, tokens, trace, what):
            nonlocal lowered
            platform = PLATFORMS / f"{machine}.json"
            program = folder / "in.mlir"
            run("moe-translate", "--import-hf-config",
                CONFIGS / f"{config}.json", "--routing=dropless",
                "--layers=1", "--micro-batch=1", f"--seq-len={tokens}",
                *[f"--{key}={value}" for key, value in options.items()],
                "-o", program)
            made, texts = compare(program, platform, trace, folder)
            slack = 1 + json.loads(platform.read_text()).get("uncertainty", 0)
            where = f"{config}, {machine}, {tokens} tokens, {what}"
            for better, other, key in (("mean", "even", "mean_us"),
                                       ("p95", "mean", "p95_us"),
                                       ("p95", "even", "p95_us")):
                if made[better][key] > made[other][key] * slack + 0.1:
                    problems.append(f"{where}: {key} of {better} "
                                    f"{made[better][key]:.1f}, of {other} "
                                    f"{made[other][key]:.1f}")
            gain = made["mean"]["p95_us"] / made["p95"]["p95_us"]
            lowered |= what == "bursts" and gain > 1.001
            rows.append([config, " ".join(f"{key} {value}" for key, value in
                                          options.items()), machine, tokens,
                         what] + [describe(texts[form]) for form in
                                  ("even", "mean", "p95")] +
                        [f"{made['even']['mean_us']:.0f}",
                         f"{made['even']['mean_us'] / made['mean']['mean_us']:.3f}",
                         f"{made['mean']['p95_us']:.0f}", f"{gain:.3f}"])

        for i in range(arguments.programs):
            config, options, machine = PROGRAMS[i % len(PROGRAMS)]
            tokens = rng.choice(TOKENS)
            experts, top_k = get_sizes(config)
            trace, what = draw(experts, top_k, options["ep"], tokens, rng)
            judge(config, options, machine, tokens, trace, what)
        models = {"mixtral-8x7b": "mistral", "olmoe-1b-7b": "olmoe"}
        for config, options, machine in PROGRAMS if counts else []:
            if config not in models:
                continue
            trace = take(counts, models[config], get_sizes(config)[0])
            for tokens in TOKENS if trace else []:
                judge(config, options, machine, tokens, trace, "real counts")
        circuits = judge_circuits(arguments.circuits, counts, folder, rng,
                                  problems)
        if arguments.bursts:
            trace = json.loads(arguments.bursts.read_text())
            config, options, machine = PROGRAMS[1]
            judge(config, options, machine, TOKENS[1], trace, "bursts")

    if arguments.bursts and not lowered:
        problems.append("bursts: the robust choice lowers no p95")
    header = ["model", "ranks", "platform", "tokens", "trace", "even routing's "
              "form", "by the mean", "robust", "mean us of the even form",
              "over that by the mean", "p95 us by the mean", "over the robust"]
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    if circuits:
        header = ["model", "ranks", "NICs", "trace", "changes of circuits for "
                  "even routing", "for the mean", "mean us on packets",
                  "with circuits for even routing", "for the mean",
                  "over that", "p95, over that"]
        lines += ["", CIRCUITS_HEAD, "| " + " | ".join(header) + " |",
                  "|" + "---|" * len(header)]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in circuits]
    text = "\n".join(lines) + "\n"
    if arguments.table and not problems:
        arguments.table.write_text(HEAD + text)
    else:
        print(text, end="")
    for problem in problems:
        print(f"by_counts.py: {problem}", file=sys.stderr)
    if problems and (arguments.check or arguments.table):
        sys.exit(1)


main()
