"""Makes tables like aiconfigurator-core's for a device with known rates.

usage: make_tables.py FOLDER

Products: 500 TFLOP/s, tiles of 128 x 256, fill 100, no whole last waves, 2 us, 100 SMs.
Products of FP8: 900 TFLOP/s, tiles of 64 x 256, fill 300, 4 us, with a pass for the scale (2 us
and 2 us per 2^20 values) and one that quantizes (3 us and 1 us per 2^20). fp8_block: the same
at 750 TFLOP/s, with the second pass alone.
Collectives: 10 us and 400 GB/s of what a rank sends; attention 300 TFLOP/s.
simumax.json, as SimuMax's: products of training at 400 TFLOP/s, gradients of weights half as
fast, attention's backward pass 250 TFLOP/s of half of the pairs.
"""

import json
import math
import sys
from pathlib import Path

systems = Path(sys.argv[1]) / "systems"
data = systems / "data/made_up"


def write(path, rows):
    file = data / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows))


def time_product(m, n, k, rows=128, fill=100, start=2, tflops=500):
    waves = max(1, math.ceil(m / rows) * math.ceil(n / 256) / 100)
    return start + waves * 100 * rows * 256 * 2 * (k + fill) / (tflops * 1e6)


def time_scale(m, k):
    return 2 + 2 * m * k / 2 ** 20


def time_quantize(m, k):
    return 3 + m * k / 2 ** 20


def list_products(dtype, time):
    return [{"gemm_dtype": dtype, "m": m, "n": n, "k": k, "latency": time(m, n, k) / 1000}
            for m in SIZES for n in SIZES for k in SIZES]


SIZES = (1024, 2048, 3000, 4096, 7168, 8192)
write("gemm/trtllm/1.0/gemm_perf.parquet", [
    *list_products("bfloat16", time_product),
    *list_products("fp8", lambda m, n, k: time_product(m, n, k, 64, 300, 4, 900)
                   + time_scale(m, k) + time_quantize(m, k)),
    *list_products("fp8_block", lambda m, n, k: time_product(m, n, k, 64, 300, 4, 750)
                   + time_quantize(m, k))])
for name, time in (("computescale", time_scale), ("scale_matrix", time_quantize)):
    write(f"quantize/trtllm/1.0/{name}_perf.parquet", [
        {"quant_dtype": "fp8", "m": m, "k": k, "latency": time(m, k) / 1000}
        for m in (*SIZES, 16384) for k in SIZES])
write("comm/nccl/2.0/nccl_perf.parquet", [
    {"op_name": op, "num_gpus": ranks, "nccl_dtype": "half", "message_size": 2 ** power,
     "latency": (10 + 2 * 2 ** power * (ranks - 1) / ranks / 400e3) / 1000}
    for op in ("alltoall", "all_gather", "reduce_scatter", "all_reduce")
    for ranks in (2, 4, 8) for power in range(8, 28)])
write("attention/trtllm/1.0/context_attention_perf.parquet", [
    {"attn_dtype": "bfloat16", "kv_cache_dtype": "bfloat16", "window_size": 0, "step": 0,
     "head_dim": 128, "isl": 4096, "num_heads": 32, "batch_size": batch,
     "latency": 2 * 4096 * 4096 * 128 * 32 * batch / 300e9}
    for batch in (1, 2)])
(systems / "made_up.yaml").write_text("""gpu:
  mem_bw: 2000000000000 # of a data sheet
  mem_capacity: 64000000000
  sm_version: 90
  bfloat16_tc_flops: 600000000000000
node:
  num_gpus_per_node: 8
  inter_node_bw: 25000000000
  intra_node_bw: 450000000000
""")


def list_shares(sizes, get_flop, get_us):
    return {"tflops": 1000, "accurate_efficient_factor": {
        size: get_flop(*of) / (get_us(*of) * 1e9) for size, of in sizes}}


def get_flop(m, n, k):
    return 2 * m * n * k


shapes = [(m, n, k) for m in SIZES for n in SIZES for k in SIZES]
gradients = [(f"m={m}, k={k}, n={n}, layout=NT, accumulate=True", (m, n, k))
             for m, n, k in shapes]
products = [(f"m={m}, k={k}, n={n}, layout=TN, accumulate=False", (m, n, k))
            for m, n, k in shapes]
matmul = list_shares(products, get_flop, lambda *of: time_product(*of, tflops=400))
matmul["accurate_efficient_factor"].update(list_shares(
    gradients, get_flop, lambda *of: 2 * time_product(*of, tflops=400)
)["accurate_efficient_factor"])
grouped = [(f"ng=4, M={m}, N={n}, K={k}, stage=fwd", (4 * m, n, k)) for m, n, k in shapes]
(Path(sys.argv[1]) / "simumax.json").write_text(json.dumps({"accelerator": {"op": {
    "matmul": matmul,
    "group_matmul": list_shares(grouped, get_flop,
                                lambda *of: 38 + time_product(*of, tflops=400)),
    "sdp_bwd": {"tflops": 1000, "accurate_efficient_factor": {
        "batch=1, seq_len=4096, head_num=32, qk_head_dim=128": 0.5,
        "batch=1, seq_len=4096, head_num=4, qk_head_dim=128": 0.1}}}}}))
