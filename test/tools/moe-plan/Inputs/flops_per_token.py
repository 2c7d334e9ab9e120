"""Prints the GFLOP per token of models: flops_per_token.py ROOT. They follow from a
predicted step's time, batch and utilization of the peak, and must be within 1 % of
the published ones."""
import json
import subprocess
import sys

ROOT = sys.argv[1]
PLATFORM = "dgx-h100-measured"
PEAK = json.load(open(f"{ROOT}/platforms/{PLATFORM}.json"))["peak_tflops"]
RANKS, BATCH, SEQUENCE = 64, 512, 4096
# From Megatron-Bridge's tables: model, GFLOP per token (least, most), further options.
PUBLISHED = (
    ("qwen3-30b-a3b", 22.8, 23.1, ()),
    ("qwen3-235b-a22b", 147.7, 148.3, ()),
    ("deepseek-v3", 249, 251, ()),
    ("deepseek-v3", 260, 260, ("--mtp-layers=1",)),
    ("kimi-k2", 204, 204, ()),
)

for model, least, most, options in PUBLISHED:
    run = subprocess.run(
        ["moe-plan", "step", f"--config={ROOT}/examples/configs/{model}.json",
         f"--platform={PLATFORM}", f"--ranks={RANKS}", f"--ep={RANKS}",
         f"--global-batch={BATCH}", "--micro-batch=1", f"--seq-len={SEQUENCE}",
         "--parallelism=megatron", "--json", *options],
        check=True, capture_output=True, text=True)
    answer = json.loads(run.stdout)
    flop = answer["mfu"] * PEAK * 1e12 * RANKS * answer["step_us"] * 1e-6
    giga = flop / (BATCH * SEQUENCE) / 1e9
    assert least / 1.01 <= giga <= most * 1.01, (model, options, giga)
    print(model + (" with a layer for further tokens" if options else ""), f"{giga:.1f}")
