"""The memory of a job is the same to moe-plan memory, step and sweep: memory_of_step.py CONFIGS"""
import json
import subprocess
import sys

CONFIGS = sys.argv[1]
MEGATRON = ["--parallelism=megatron"]
# Config, degrees that a sweep is given too, and other options.
JOBS = [
    ("qwen3-30b-a3b", ["--ep=8", "--pp=2", "--tp=1", "--dp=1", "--cp=1"],
     ["--global-batch=256", "--virtual-stages=2", "--overlap=1f1b", "--routing=dropless",
      "--imbalance=2", *MEGATRON]),
    ("qwen3-30b-a3b", ["--ep=8", "--pp=1", "--tp=1", "--dp=2", "--cp=1"],
     ["--num-micro-batches=4", "--overlap=1f1b", "--layers=12", *MEGATRON]),
    ("deepseek-v3", ["--ep=64", "--pp=16", "--tp=1", "--dp=1", "--cp=1"],
     ["--global-batch=4096", "--mtp-layers=1", "--recompute=selective",
      "--recompute-modules=mla_up_proj,moe_act", "--optimizer-bytes=8",
      "--pipeline-layout=Et*3|(t*4|)*14t*2mL", *MEGATRON]),
    ("mixtral-8x7b", ["--ep=8", "--pp=4", "--tp=1", "--dp=1", "--cp=1"],
     ["--num-micro-batches=16", "--overlap=dualpipe", "--zero=1", "--receive-factor=2",
      "--routing=dropless"]),
    ("mixtral-8x7b", ["--ep=8", "--pp=1", "--tp=2", "--dp=1", "--cp=1"],
     ["--precision=fp8-tensorwise", "--zero=3", "--parallelism=torchtitan",
      "--recompute=full"]),
]


def ask(planner, words):
    run = subprocess.run(["moe-plan", planner, *words, "--json"], capture_output=True, text=True,
                         check=False)
    assert run.returncode == 0, (planner, words, run.stderr)
    return json.loads(run.stdout)


for config, degrees, options in JOBS:
    words = [f"--config={CONFIGS}/{config}.json", "--micro-batch=1", "--seq-len=4096",
             "--platform=dgx-h100-measured", "--memory-gb=2000", *degrees, *options]
    memory = ask("memory", words)
    total = memory["per_rank"]["as_configured"]["total_bytes"]
    step = ask("step", words)
    assert abs(step["memory_bytes"] - total) <= 1, (words, step["memory_bytes"], total)
    assert step.get("stages") == memory["per_rank"].get("stages"), words
    assert step["not_counted"] == memory["not_counted"], words
    ranks = memory["parallelism"]["ranks"]
    rows = ask("sweep", [*words, f"--ranks={ranks}"])["layouts"]
    fold = step["fold_ep"]
    same = [row["memory_bytes"] for row in rows if row["fold_ep"] == fold]
    assert step["memory_bytes"] in same, (words, step["memory_bytes"], same)

# An overlap without stages holds one layer of another micro-batch.
base = [f"--config={CONFIGS}/mixtral-8x7b.json", "--micro-batch=1", "--seq-len=4096", "--ep=8",
        *MEGATRON]
none, one = (ask("memory", [*base, f"--overlap={overlap}"])["per_rank"]["as_configured"]
             for overlap in ("none", "1f1b"))
for part in "attention_bytes", "moe_bytes":
    assert abs(one[part] / none[part] - 33 / 32) < 1e-9, (part, one[part], none[part])
assert one["logits_bytes"] == none["logits_bytes"]
print(f"equal memory: {len(JOBS)} jobs")
