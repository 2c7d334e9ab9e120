"""Checks which way settings of moe-plan step change the step.

usage: step_settings.py PLATFORM CONFIGS
"""

import json
import subprocess
import sys

BASE = ["--micro-batch=1", "--seq-len=1024", "--ranks=8", "--ep=8", "--layers=4",
        "--parallelism=megatron", "--num-micro-batches=4"]


def ask(*words):
    given = {word.split("=")[0] for word in words}
    base = [word for word in BASE if word.split("=")[0] not in given]
    command = ["moe-plan", "step", f"--platform={sys.argv[1]}",
               f"--config={sys.argv[2]}/mixtral-8x7b.json", "--json", *base, *words]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout)


def get_part(answer, name):
    return sum(p["forward_us"] for p in answer["layer"]["parts"] if p["name"] == name)


checked = 0


def expect(what, isSo):
    global checked
    checked += 1
    if not isSo:
        sys.exit(f"{what}: expected, got otherwise")


def near(a, b):
    return abs(a - b) < 1e-6 * max(a, b)


base = ask()
us = base["step_us"]
# Half of the exchanges of 4 layers and 4 micro-batches is hidden.
exchange = sum(p["forward_us"] + p["backward_us"] for p in base["layer"]["parts"]
               if p["name"] == "dispatch and combine")
expect("overlap", near(us - ask("--overlap=1f1b")["step_us"], 16 * exchange / 2))
expect("graphs", near(us - ask("--cuda-graphs")["step_us"], 16 * (300 - 30) + 1000))
# Everything again: forward passes and the host's part of them.
again = ask("--recompute=full")["step_us"]
expect("full recomputation",
       near(again - us, 16 * (base["layer"]["forward_us"] + 100)))
again = ask("--recompute=selective", "--recompute-modules=moe_act,core_attn")
expect("selective recomputation",
       near(again["step_us"] - us, 16 * (get_part(base, "experts' activation")
                                         + get_part(base, "attention"))))
kernel = ask("--dispatcher=kernel", "--dispatcher-sms=8")
expect("a dispatcher that permutes", get_part(kernel, "permutation") == 0)
# Twice the rows: the exchange's bytes double.
load = ask("--routing=dropless", "--imbalance=2")
even = ask("--routing=dropless")
expect("even dropless rows", near(even["step_us"], us))
expect("imbalance", near(get_part(load, "dispatch and combine") - 40,
                         2 * (get_part(even, "dispatch and combine") - 40)))
expect("a capacity factor", near(ask("--capacity-factor=2")["step_us"], load["step_us"]))
# ZeRO-3 gathers weights for each pass, over copies of all but the experts.
expect("zero 3", ask("--zero=3")["step_us"] > us)
# 2 stages of 2 layers, 4 micro-batches on half of the ranks.
expect("stages", ask("--pp=2", "--ep=4")["spent_us"]["waiting for other stages"] > 0)
expect("virtual stages",
       ask("--pp=2", "--ep=4", "--virtual-stages=2")["step_us"]
       < ask("--pp=2", "--ep=4")["step_us"])
# Tensor-parallel ranks exchange what they work on together.
tensor = ask("--tp=4", "--ep=2")
expect("tensor parallelism", get_part(tensor, "tensor-parallel exchange") > 0)
expect("split experts", get_part(tensor, "experts' tensor-parallel exchange") > 0)
folded = ask("--tp=4", "--ep=8", "--fold-ep")
expect("folded experts", get_part(folded, "experts' tensor-parallel exchange") == 0)
expect("context parallelism", ask("--cp=2", "--ep=4")["cp"] == 2)
print("settings:", checked)
