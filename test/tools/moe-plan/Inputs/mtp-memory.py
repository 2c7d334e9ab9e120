"""Bytes of layers that predict further tokens: mtp-memory.py CONFIG PLATFORM"""
import json
import subprocess
import sys

config, platform = sys.argv[1:]
of = json.load(open(config))
hidden, words = of["hidden_size"], of["hidden_size"] * of["vocab_size"]
checks = 0


def ask(*options, planner="memory"):
    command = ["moe-plan", planner, f"--config={config}", "--ep=8", "--seq-len=4096",
               "--micro-batch=1", "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def check(got, expected, what):
    global checks
    checks += 1
    assert abs(got - expected) <= 16, (what, got, expected)


parameters = ask()["parameters"]
layers = of["num_hidden_layers"]
# Per rank: experts are over 8 ranks, and each parameter has 16 bytes without ZeRO.
experts = parameters["moe"] / layers / 8
others = (parameters["non_moe"] - parameters["embeddings"]) / layers + 2 * hidden ** 2
for pp in 1, 4:
    one, more = (ask(f"--pp={pp}", f"--mtp-layers={count}", "--zero=0") for count in (0, 2))
    before, after = (answer["per_rank"].get("stages", [answer["per_rank"]])[-1]
                     for answer in (one, more))
    embedding = words if pp > 1 else 0
    check(after["states_bytes"] - before["states_bytes"],
          16 * (2 * (experts + others) + embedding), f"states, pp {pp}")
    if pp == 1:
        parts = [answer["as_configured"] for answer in (before, after)]
        check(parts[1]["logits_bytes"], 3 * parts[0]["logits_bytes"], "logits")
        check(parts[1]["moe_bytes"] * layers, parts[0]["moe_bytes"] * (layers + 2), "moe")
    else:
        for stage in range(3):
            check(more["per_rank"]["stages"][stage]["total_bytes"],
                  one["per_rank"]["stages"][stage]["total_bytes"], f"stage {stage}")

# The fullest rank is the same in `moe-plan step`, by the option or by a layout.
options = ["--pp=4", "--zero=1", "--num-micro-batches=4"]
fullest = max(stage["total_bytes"]
              for stage in ask(*options, "--mtp-layers=1")["per_rank"]["stages"])
for option in "--mtp-layers=1", "--pipeline-layout=Et*12|t*12|t*12|t*12mL":
    check(ask(*options, option, f"--platform={platform}", "--sequence-parallel=false",
              planner="step")["memory_bytes"], fullest, option)
with_mtp, without = (ask(*options, f"--mtp-layers={n}", f"--platform={platform}",
                         planner="step")["step_us"] for n in (1, 0))
checks += 1
assert with_mtp > without
print(f"mtp: {checks} checks")
