#!/usr/bin/env python3
"""Compares predictions with other people's models of the same jobs.

Two public models answer the same questions as moe-plan:

- SimuMax (MooreThreads/SimuMax): time of each part of a layer, and memory per
  rank of each pipeline stage, for DeepSeek models of 4 layers on 8 B200.
- AutoParallel's nccl_cost_model.py (meta-pytorch/autoparallel): time of
  collectives on H100.

Neither is part of this project. Name a checkout of each:

  bench/accuracy/peers.py --simumax=DIR --autoparallel=DIR
                                     the tables; SimuMax needs numpy and pandas
  bench/accuracy/peers.py --simumax=DIR --save=FILE
                                     also saves the answers of the other models
  bench/accuracy/peers.py --recorded=FILE
                                     the tables from such a file, without them

A ratio is ours over theirs. Rows that differ by more than --mark (20 %) end
with "<" or ">". MOE_PLAN names moe-plan (default: build/ci/bin/moe-plan).
"""

import argparse
import contextlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SIZES = [2 ** 20, 2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30]
RANKS = [8, 16, 32]
KINDS = ["all-gather", "reduce-scatter", "all-reduce", "all-to-all"]

# SimuMax's name of a model, our config, SimuMax's name of the layout, ours.
JOBS = [(f"{name}, {words}", name, config, strategy, options)
        for name, config in (("deepseekv3", "deepseek-v3-4-layers.json"),
                             ("deepseekv2", "deepseek-v2-4-layers.json"))
        for words, strategy, options in (
            ("ep 8", "ep8_pp1_dp8_mbs1", ["--ep=8"]),
            ("ep 4 pp 2", "ep4_pp2_dp4_mbs1", ["--ep=4", "--pp=2"]))]

# Modules of SimuMax's layer and our parts that do the same work.
PARTS = [
    ("norms", ["layernorm_input", "pre_mlp_layernorm", "q_layernorm", "kv_layernorm"],
     ["norms"]),
    ("projections of attention",
     ["linear_q_down_proj", "linear_q_up_proj", "linear_kv_down_proj",
      "linear_kv_up_proj", "linear_out_proj"],
     ["projections", "latent up-projections"]),
    ("attention", ["core_attention"], ["attention"]),
    ("rotary embeddings, residuals", ["rotary_pos_emb", "SharedExpertAddFunction"],
     ["rotary embeddings", "residuals"]),
    ("router", ["router"], ["router"]),
    ("permutation", ["permutation", "unpermutation"], ["permutation"]),
    ("experts' products", ["group_linear1", "group_linear2"], ["experts"]),
    ("experts' activation", ["expert_activation_layer"], ["experts' activation"]),
    ("shared expert", ["shared_expert"], ["shared experts"]),
]


def fail(message):
    sys.exit(f"peers.py: {message}")


def ask_ours(*words):
    moe_plan = os.environ.get("MOE_PLAN", str(ROOT / "build/ci/bin/moe-plan"))
    run = subprocess.run([moe_plan, *words, "--json"], cwd=ROOT, capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        fail(f"moe-plan {' '.join(words)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


# ---- SimuMax ----------------------------------------------------------------

def read_module_times(module, times):
    """Sums the times of the named modules inside one module, in ms: forward,
    backward, and exchanges."""
    cost = module.get_cost_info()
    if getattr(module, "name", ""):
        old = times.setdefault(module.name, [0.0, 0.0, 0.0])
        old[0] += cost.fwd_compute_time
        old[1] += cost.bwd_grad_w_time + cost.bwd_grad_act_time
        old[2] += cost.fwd_net_time + cost.bwd_grad_act_net_time
    for child in module.children_ordered_module:
        read_module_times(child, times)


def ask_simumax(checkout):
    """Per job: peak memory of each stage in GiB, and times of the modules of a
    MoE layer and of the work after the layers, in ms."""
    if not (Path(checkout) / "simumax").is_dir():
        fail(f"--simumax: expected a checkout with a folder simumax, got {checkout}")
    sys.path.insert(0, str(checkout))
    try:
        from simumax.core.config import ModelConfig, StrategyConfig, SystemConfig
        from simumax.core.perf_llm import PerfLLM
    except ImportError as error:
        fail(f"--simumax: {error}: install what its requirements.txt lists")
    configs = Path(checkout) / "configs"
    answers = {}
    for title, name, _, strategy, _ in JOBS:
        perf = PerfLLM()
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            perf.configure(
                strategy_config=StrategyConfig.init_from_config_file(
                    str(configs / "strategy" / f"{strategy}.json")),
                model_config=ModelConfig.init_from_config_file(
                    str(configs / "models" / f"{name}.json")),
                system_config=SystemConfig.init_from_config_file(
                    str(configs / "system" / "b200_bf16_ceperm.json")))
            # As in its published benchmark.
            model = perf.model_config
            model.layer_num, model.dense_layers = 4, 1
            model.moe_pad_expert_input_to_capacity, model.capacity = True, 1
            model.padded_vocab_size, model.make_vocab_size_divisible_by = True, 128
            perf.strategy.cross_entropy_loss_fusion = True
            perf.strategy.dispatch_probs = True
            perf.strategy.te_version = "2.11.0"
            perf.run_estimate()
            memory = perf.analysis_mem().data
        stages = [memory] if "peak_mem" in memory else list(memory.values())
        answer = {"peak_gib": [float(stage["peak_mem"].split()[0]) for stage in stages]}
        if any(not stage["peak_mem"].endswith(" GB") for stage in stages):
            fail(f"{title}: expected a peak in GB, got {stages[0]['peak_mem']}")
        if len(stages) == 1:
            times, after = {}, {}
            for child in perf.model_chunk_dict["first_stage_chunk"].children_ordered_module:
                if child.name == "layer_3":
                    read_module_times(child, times)
                elif child.name in ("linear_out", "parallel_ce"):
                    read_module_times(child, after)
            answer.update(layer_ms=times, output_ms=after)
        answers[title] = answer
    return answers


def list_layer_rows(answers):
    """Rows of (name, theirs, ours, unit)."""
    rows = []
    for title, _, config, _, options in JOBS:
        if title not in answers:
            continue
        theirs = answers[title]
        job = [f"--config=bench/accuracy/models/{config}", "--ranks=8", *options,
               "--micro-batch=1", "--seq-len=4096", "--parallelism=megatron"]
        memory = ask_ours("memory", *job)["per_rank"]
        stages = memory.get("stages", [memory["as_configured"]])
        for i, (peak, stage) in enumerate(zip(theirs["peak_gib"], stages)):
            where = f", stage {i}" if len(stages) > 1 else ""
            rows.append((f"{title}{where}: memory", peak, stage["total_bytes"] / 2 ** 30, "GiB"))
        if "layer_ms" not in theirs:
            continue
        step = ask_ours("step", "--platform=dgx-b200-measured", "--memory-gb=2000",
                        "--num-micro-batches=1", *job)
        parts = step["layer"]["parts"]
        for what, modules, names in PARTS:
            for place, way in enumerate(("forward", "backward")):
                them = sum(theirs["layer_ms"].get(name, [0, 0, 0])[place] for name in modules)
                us = sum(part[f"{way}_us"] for part in parts if part["name"] in names
                         and part["kind"] != "expert exchanges")
                rows.append((f"{title}: {what}, {way}", them, us / 1e3, "ms"))
        # Exchanges of the layer in both directions; SimuMax includes
        # permutation.
        them = sum(theirs["layer_ms"][name][2] for name in ("permutation", "unpermutation"))
        us = sum(part["forward_us"] + part["backward_us"] for part in parts
                 if part["kind"] == "expert exchanges")
        rows.append((f"{title}: exchanges with experts, both ways", them, us / 1e3, "ms"))
        # Outside of its layers, a step has the output layer with its loss.
        them = sum(sum(times[:2]) for times in theirs["output_ms"].values())
        us = sum(step["spent_us"][kind] for kind in ("products", "memory-bound kernels"))
        for layer, count in (("layer", 3), ("dense_layer", 1)):
            us -= count * sum(part["forward_us"] + part["backward_us"]
                              for part in step[layer]["parts"]
                              if part["kind"] in ("products", "memory-bound kernels"))
        rows.append((f"{title}: output layer and loss, both ways", them, us / 1e3, "ms"))
    return rows


# ---- AutoParallel -----------------------------------------------------------

def ask_autoparallel(checkout):
    """The time per collective in us."""
    file = Path(checkout) / "autoparallel/cost_models/nccl_cost_model.py"
    if not file.is_file():
        fail(f"--autoparallel: expected a checkout with {file.relative_to(checkout)}, "
             f"got {checkout}")
    spec = importlib.util.spec_from_file_location("nccl_cost_model", file)
    model = importlib.util.module_from_spec(spec)
    # Its dataclasses look up their module by name.
    sys.modules[spec.name] = model
    spec.loader.exec_module(model)
    costs = {"all-gather": model.nccl_allgather_cost,
             "reduce-scatter": model.nccl_reduce_scatter_cost,
             "all-reduce": model.nccl_allreduce_cost,
             "all-to-all": model.nccl_all_to_all_cost}
    answers = {}
    for kind in KINDS:
        for ranks in RANKS:
            config = model.h100_topo_config(num_nodes=ranks // 8)
            group = model.derive_mesh_dim_topo(config, (ranks,), 0)
            for size in SIZES:
                answers[f"{kind} {ranks} {size}"] = costs[kind](size, group, config)
    return answers


def list_collective_rows(answers):
    rows = []
    for key, them in answers.items():
        kind, ranks, size = key.split()
        us = ask_ours("collective", "--platform=dgx-h100-measured", f"--kind={kind}",
                      f"--ranks={ranks}", f"--bytes={size}")["time_us"]
        rows.append((f"{kind}, {ranks} ranks, {int(size) >> 20} MiB", them, us, "us"))
    return rows


# ---- the tables -------------------------------------------------------------

def print_table(title, rows, mark):
    print(f"## {title}\n\n| what | theirs | ours | ratio | |\n|---|---|---|---|---|")
    far = 0
    for what, them, us, unit in rows:
        ratio = us / them if them else None
        sign = ""
        if ratio is None:
            sign = "only ours" if us else ""
        elif not 1 / (1 + mark) <= ratio <= 1 + mark:
            sign = ">" if ratio > 1 else "<"
            far += 1
        shown = "-" if ratio is None else f"{ratio:.2f}"
        print(f"| {what} | {them:.4g} {unit} | {us:.4g} | {shown} | {sign} |")
    print(f"\n{len(rows)} rows, {far} of them further apart than {mark:.0%}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simumax", metavar="DIR", help="a checkout of SimuMax")
    parser.add_argument("--autoparallel", metavar="DIR", help="a checkout of AutoParallel")
    parser.add_argument("--recorded", metavar="FILE", help="answers that --save kept")
    parser.add_argument("--save", metavar="FILE", help="keep the answers of the other models")
    parser.add_argument("--mark", type=float, default=0.2, metavar="X",
                        help="mark rows further apart than this (default: 0.2)")
    arguments = parser.parse_args()
    if arguments.recorded and (arguments.simumax or arguments.autoparallel or arguments.save):
        fail("--recorded is not supported with --simumax, --autoparallel or --save")
    answers = {}
    if arguments.recorded:
        answers = json.loads(Path(arguments.recorded).read_text())
    if arguments.simumax:
        answers["simumax"] = ask_simumax(arguments.simumax)
    if arguments.autoparallel:
        answers["autoparallel"] = ask_autoparallel(arguments.autoparallel)
    if not answers:
        fail("expected --simumax, --autoparallel or --recorded, got none")
    if arguments.save:
        Path(arguments.save).write_text(json.dumps(answers, indent=1) + "\n")
    if "simumax" in answers:
        print_table("Layers and memory beside SimuMax, 8 B200",
                    list_layer_rows(answers["simumax"]), arguments.mark)
    if "autoparallel" in answers:
        print_table("Collectives beside AutoParallel, H100",
                    list_collective_rows(answers["autoparallel"]), arguments.mark)


if __name__ == "__main__":
    main()
