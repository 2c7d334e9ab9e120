"""Checks that moe-plan sweep and moe-plan step give the same time and memory.

usage: sweep_steps.py CONFIGS MEASURED

Sweeps several jobs on platforms with measured and with data-sheet rates, runs the
command of rows from all over each table, and compares every field that both print.
"""

import json
import shlex
import subprocess
import sys

CONFIGS, MEASURED = sys.argv[1:]
ROWS = 6
FIELDS = ("dp", "pp", "cp", "ep", "tp", "esp", "fold_ep", "sequence_parallel",
          "recompute", "memory_bytes", "busiest_rank", "micro_batch", "micro_batches",
          "virtual_stages", "layers", "stage_layers",
          "dispatcher", "overlap", "step_us", "expert_exchanges_us", "tokens_per_s",
          "mfu", "spent_us", "not_modelled")

# Config, platform and options of a job.
JOBS = [
    ("qwen3-30b-a3b", "dgx-h100-measured",
     "--ranks=16 --parallelism=megatron --routing=dropless --global-batch=256 "
     "--dispatcher=all --overlap=all --cuda-graphs --virtual-stages=1,2"),
    ("deepseek-v3", "dgx-h100-measured",
     "--ranks=1024 --parallelism=megatron --routing=dropless --global-batch=4096 "
     "--virtual-stages=2 --cp=1 --dispatcher=deepep,all-to-all --dispatcher-sms=24 "
     "--recompute-modules=mla_up_proj,moe"),
    ("deepseek-v3", "dgx-h200-measured",
     "--ranks=256 --pp=16 --num-micro-batches=32 --overlap=1f1b --optimizer-bytes=8"),
    ("mixtral-8x7b", "dgx-h100",
     "--ranks=32 --parallelism=deepspeed --dtype=f16 --capacity-factor=1.5"),
    ("qwen3-30b-a3b", "a800-2x8",
     "--ranks=16 --parallelism=torchtitan --layers=12 --routing=dropless "
     "--imbalance=4 --memory-gb=80"),
    ("gpt-oss-120b", "dgx-b200-measured",
     "--ranks=64 --parallelism=megatron --gradient-bytes=2 --zero=0"),
    ("mixtral-8x22b", MEASURED,
     "--ranks=64 --memory-gb=90 --parallelism=megatron --overlap=none,1f1b-delayed "
     "--num-micro-batches=16 --esp=1"),
]


def ask(words):
    run = subprocess.run(words + ["--json"], capture_output=True, text=True,
                         check=False)
    if run.returncode:
        sys.exit(f"{shlex.join(words)}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)


compared = 0
for config, platform, options in JOBS:
    words = ["moe-plan", "sweep", f"--config={CONFIGS}/{config}.json",
             f"--platform={platform}", "--micro-batch=1", "--seq-len=4096",
             *options.split()]
    layouts = ask(words)["layouts"]
    if len(layouts) < 4:
        sys.exit(f"{shlex.join(words)}: expected at least 4 layouts, "
                 f"got {len(layouts)}")
    speeds = [layout["tokens_per_s"] for layout in layouts]
    if speeds != sorted(speeds, reverse=True):
        sys.exit(f"{shlex.join(words)}: expected the fastest first, got {speeds}")
    for row in layouts[::max(1, len(layouts) // ROWS)]:
        alone = ask(shlex.split(row["commands"]))
        for field in FIELDS:
            if row.get(field) != alone.get(field):
                sys.exit(f"{row['commands']}: expected {field} "
                         f"{row.get(field)} as in the sweep, got {alone.get(field)}")
        compared += 1
print("equal steps:", compared)
