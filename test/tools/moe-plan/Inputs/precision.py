"""Checks what --precision changes in moe-plan step, memory and sweep.

usage: precision.py PLATFORM CONFIGS FOLDER

PLATFORM gets products of 8 bits at twice the rate: fp8-tensorwise with one copy of an
operand, and mxfp8 with two.
"""

import json
import subprocess
import sys
from pathlib import Path

platform = json.loads(Path(sys.argv[1]).read_text())
kernels = platform["kernels"]
QUANTIZE = 800


def make_entry(precision, copies):
    def double(rates):
        return {**rates, "tflops": 2 * rates["tflops"]}
    return {"precision": precision, "copies": copies, "products": double(kernels["products"]),
            "grouped_products": double(kernels["grouped_products"]),
            "quantize_GBps": QUANTIZE}


kernels["quantized"] = [make_entry("fp8-tensorwise", 1), make_entry("mxfp8", 2)]
platform["memory_per_rank_bytes"] = 80e9
FILE = Path(sys.argv[3]) / "quantized.json"
FILE.write_text(json.dumps(platform))
BASE = {"--micro-batch": "1", "--seq-len": "1024", "--ranks": "8", "--ep": "8", "--layers": "4",
        "--parallelism": "megatron", "--num-micro-batches": "4", "--config": "mixtral-8x7b"}


def ask(*words, planner="step"):
    options = dict(BASE)
    if planner == "memory":
        del options["--layers"], options["--num-micro-batches"]
    flags = []
    for word in words:
        name, _, value = word.partition("=")
        if value:
            options[name] = value
        else:
            flags.append(word)
    options["--config"] = f"{sys.argv[2]}/{options['--config']}.json"
    command = ["moe-plan", planner, "--json", f"--platform={FILE}", *flags,
               *(f"{k}={v}" for k, v in options.items() if v != "-")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def get_part(answer, name, key="forward_us", kind=None, layer="layer"):
    return sum(p[key] for p in answer[layer]["parts"]
               if p["name"] == name and kind in (None, p["kind"]))


checked = 0


def expect(what, is_so):
    global checked
    checked += 1
    if not is_so:
        sys.exit(f"{what}: expected, got otherwise")


def near(a, b):
    return abs(a - b) < 1e-6 * max(abs(a), abs(b))


plain, fp8, delayed, mx = ask(), *(ask(f"--precision={p}")
                                   for p in ("fp8-tensorwise", "fp8", "mxfp8"))
expect("names", [a["precision"] for a in (plain, fp8, delayed, mx)]
       == ["bf16", "fp8-tensorwise", "fp8", "mxfp8"])
expect("a faster step", fp8["step_us"] < plain["step_us"])
# Products of linear layers and experts take half, but for what starts them.
start = kernels["products"]["start_us"]
expect("projections", near(2 * (get_part(fp8, "projections") - 2 * start),
                           get_part(plain, "projections") - 2 * start))
# A rank has one expert, which is no group.
expect("experts", near(2 * (get_part(fp8, "experts") - 2 * start),
                       get_part(plain, "experts") - 2 * start))
for part in ("attention", "router", "norms", "dispatch and combine", "permutation",
             "experts' activation"):
    expect(part, near(get_part(fp8, part), get_part(plain, part)))
# Inputs of the two projections, hidden values per token each, are read twice in 16 bits and
# written once in 8; gradients of their outputs the same: 6144 and 4096 values.
memory_start = kernels["memory_start_us"]


def quantize(values, tensors, kernels_of_it, size):
    return kernels_of_it * tensors * memory_start + size * values / (QUANTIZE * 1e3)


name = "quantization of projections"
expect("inputs", near(get_part(fp8, name), quantize(1024 * 2 * 4096, 2, 2, 5)))
expect("gradients", near(get_part(fp8, name, "backward_us"),
                         quantize(1024 * (6144 + 4096), 2, 2, 5)))
expect("delayed scaling", near(get_part(delayed, name), quantize(1024 * 2 * 4096, 2, 1, 3)))
expect("two copies", near(get_part(mx, name), quantize(1024 * 2 * 4096, 2, 1, 2 + 2 * 33 / 32)))
expect("16 bits quantize nothing", get_part(plain, name) == 0)
expect("what is not modeled", any("padding of experts' rows" in n for n in fp8["not_modelled"])
       and not any("padding" in n for n in plain["not_modelled"]))

# Tokens of 8 bits, with 4 bytes per 128 values, go to experts in the forward pass alone.
name = "dispatch and combine"
for words in ((), ("--dispatcher=kernel",)):
    whole = ask("--precision=fp8", *words)
    sent = ask("--precision=fp8", "--dispatch-bytes=1", *words)
    both = {"": (20, 20), "kernel": (15, 16)}["kernel" if words else ""]
    # The dispatch takes twice as long per byte as the combine takes, or as long.
    share = 1 / 3 if words else 1 / 2
    expect("sent bytes", near(get_part(whole, name) - get_part(sent, name),
                              share * (get_part(whole, name) - sum(both)) * (1 - 33 / 64)))
    expect("gradients of 16 bits", near(get_part(sent, name, "backward_us"),
                                        get_part(whole, name, "backward_us")))
expect("a dispatch is not left out", any("--dispatch-bytes" in n for n in whole["not_modelled"])
       and not any("--dispatch-bytes" in n for n in sent["not_modelled"]))

# The host is the same, or none where the whole step is one graph.
expect("host", near(fp8["spent_us"]["host"], plain["spent_us"]["host"])
       and plain["spent_us"]["host"] > 0)
expect("one graph", ask("--full-iteration-graph")["spent_us"]["host"] == 0)

# Weights that are gathered in 8 bits are half the bytes.
name = "gradients and weights of copies"
gathered = ask("--precision=fp8", "--fp8-param-gather", "--zero=1", "--ep=2")
whole = ask("--precision=fp8", "--zero=1", "--ep=2")
expect("gathers", gathered["spent_us"][name] < whole["spent_us"][name])
expect("gathers of blocks",
       near(ask("--precision=mxfp8", "--fp8-param-gather", "--zero=1", "--ep=2")["spent_us"][name],
            ask("--precision=mxfp8", "--zero=1", "--ep=2")["spent_us"][name]))
expect("gathers of ZeRO-3", ask("--precision=fp8", "--fp8-param-gather", "--zero=3")["step_us"]
       < ask("--precision=fp8", "--zero=3")["step_us"])
# Megatron's layers gather rows in 8 bits.
name = "tensor-parallel exchange"
tensor = [ask("--tp=4", "--ep=2", f"--precision={p}") for p in ("bf16", "fp8")]
expect("rows", get_part(tensor[1], name) < get_part(tensor[0], name))
tensor = [ask("--tp=4", "--ep=2", "--parallelism=deepspeed", f"--precision={p}")
          for p in ("bf16", "fp8")]
expect("rows of others", near(get_part(tensor[1], name), get_part(tensor[0], name)))

# Every part of a model, with what chooses dispatcher, overlap and recomputation.
for config, ep in (("deepseek-v3", 8), ("grok-1", 8), ("qwen3-30b-a3b", 8), ("gpt-oss-120b", 8),
                   ("llama4-maverick-17b-128e", 8)):
    for framework in ("megatron", "torchtitan", "deepspeed"):
        all_of_it = ask(f"--config={config}", f"--ep={ep}", "--precision=mxfp8",
                        f"--parallelism={framework}", "--dispatcher=all", "--overlap=all",
                        "--recompute=auto", "--compare")
        expect(config, len(all_of_it["alternatives"]) == 4 and all_of_it["fits"] in (True, False))
deep = ask("--config=deepseek-v3", "--precision=mxfp8", "--layers=5")
for part in ("latent up-projections", "shared experts", "experts"):
    expect(part, get_part(deep, f"quantization of {part}") > 0)
expect("dense layers",
       get_part(deep, "quantization of the dense network", layer="dense_layer") > 0)
# What is computed again is quantized again.
up = "latent up-projections"
again = ask("--config=deepseek-v3", "--precision=mxfp8", "--layers=5", "--recompute=selective",
            "--recompute-modules=mla_up_proj")
for kind, part in (("products", up), ("memory-bound kernels", f"quantization of {up}")):
    expect(f"{part} again", near(again["spent_us"][kind] - deep["spent_us"][kind],
                                 4 * 5 * get_part(deep, part)))
tokens = ask("--config=deepseek-v3", "--precision=mxfp8", "--layers=-", "--pp=2", "--ep=4",
             "--pipeline-layout=Et*31|t*30mL", "--num-micro-batches=2")
expect("a layer of further tokens", tokens["precision"] == "mxfp8")

# Memory: two copies in 8 bits with the 16-bit weights, or in their place.
sizes = [ask(*words, planner="memory")["per_rank"] for words in
         ((), ("--precision=mxfp8",), ("--precision=mxfp8", "--fp8-param-gather"))]
weights = sizes[1]["quantized_weights_bytes"]
parameters = weights / (2 * 33 / 32)
expect("copies", near(sizes[2]["quantized_weights_bytes"], weights)
       and "quantized_weights_bytes" not in sizes[0])
expect("16-bit weights", near(sizes[1]["states_bytes"], sizes[0]["states_bytes"])
       and near(sizes[1]["states_bytes"] - sizes[2]["states_bytes"], 2 * parameters))
one = ask("--precision=fp8-tensorwise", planner="memory")["per_rank"]
expect("one copy", near(one["quantized_weights_bytes"], parameters))
# Norms' outputs, rows and products of experts in 33/32 in place of 2 bytes; attention's output
# in both.
kept = [s["as_configured"] for s in sizes]
h, f, tokens, layers, k = 4096, 14336, 1024, 32, 2
expect("kept by attention", near(kept[1]["attention_bytes"] - kept[0]["attention_bytes"],
                                 tokens * layers * ((33 / 32 - 2) * h + 33 / 32 * h)))
expect("kept by experts", near(kept[1]["moe_bytes"] - kept[0]["moe_bytes"],
                               tokens * layers * k * (33 / 32 - 2) * (h + f)))
expect("ZeRO-3", "quantized_weights_bytes"
       not in ask("--precision=mxfp8", "--zero=3", planner="memory")["per_rank"])

# A sweep's rows are the steps that their commands predict.
sweep = ask("--precision=mxfp8", "--fp8-param-gather", "--dispatcher=all", "--overlap=all",
            "--ep=-", planner="sweep")
expect("precision of a sweep", sweep["precision"] == "mxfp8" and len(sweep["layouts"]) > 1)
for row in sweep["layouts"][:3]:
    command = row["commands"].split()
    expect("words", "--precision=mxfp8" in command and "--fp8-param-gather" in row["commands"])
    run = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    expect("the same step", near(json.loads(run.stdout)["step_us"], row["step_us"]))
    expect("a row's words", row["fp8_param_gather"] and row["precision"] == "mxfp8")
print(f"precision: {checked} checks")
