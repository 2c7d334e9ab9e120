"""Compares layouts of 4 tensor-parallel ranks that share 2 heads of keys and values
with layouts of 4 heads.

usage: shared-heads.py CONFIG TEMPORARY

In Megatron, each rank holds a whole head, so the activations of keys and values are
as large as with 4 heads; without Megatron's defaults they are half as large. In a
sweep, ranks gather their projections, so a step takes longer than without sharing.
"""

import json
import subprocess
import sys


def run(command, config, *options):
    done = subprocess.run(
        ["moe-plan", command, "--config=" + config, "--seq-len=4096",
         "--micro-batch=1", "--tp=4", "--ep=4", "--json", *options],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    config, temporary = sys.argv[1:]
    with open(config) as file:
        model = json.load(file)
    files = {}
    for heads in (2, 4):
        files[heads] = f"{temporary}.{heads}"
        with open(files[heads], "w") as file:
            json.dump({**model, "num_key_value_heads": heads}, file)

    def activations(heads, *options):
        answer = run("memory", files[heads], *options)
        return answer["per_rank"]["as_configured"]["attention_bytes"]

    megatron = ("--parallelism=megatron", "--esp=4")
    shared, whole = activations(2, *megatron), activations(4, *megatron)
    assert shared == whole, (shared, whole)
    even, four = [activations(heads, "--sequence-parallel") for heads in (2, 4)]
    assert even < four, (even, four)

    def layout(heads):
        answer = run("sweep", files[heads], *megatron, "--platform=dgx-h100",
                     "--ranks=16", "--layers=2", "--memory-gb=1000", "--pp=1",
                     "--cp=1", "--dp=1", "--flags", "--compiled")
        return answer["layouts"][0]

    two, four = layout(2), layout(4)
    assert "shared heads gathered" in two["why"], two["why"]
    assert "shared heads gathered" not in four["why"], four["why"]
    assert two["flags_of"] == "Megatron-LM (core 0.16 or later)"
    assert four["flags_of"] == "Megatron-LM (core 0.12)"
    print("4 ranks share 2 heads: memory and time grow")


if __name__ == "__main__":
    main()
