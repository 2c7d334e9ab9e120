"""Checks moe-sim's tokens/s and MFU of imported programs.

usage: utilisation.py SOURCE FOLDER
"""

import json
import subprocess
import sys

source, folder = sys.argv[1:]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return done.stdout


def expect(what, got, wanted):
    if abs(got - wanted) > 1e-9 * abs(wanted):
        sys.exit(f"{what}: expected {wanted}, got {got}")


# Router, experts per token and attention of one layer, by the configs.
def count_mixtral(seq_len, is_train):
    experts = 2 * 3 * 4096 * 14336
    if not is_train:
        return experts + 4096 * 8
    projections = 4096 * 4096 * 2 + 2 * 4096 * 1024
    pairs = (seq_len + 1) / 2 * (4096 + 4096)
    return 3 * (experts + 4096 * 8 + projections + pairs)


def count_qwen(seq_len, is_train):
    # A shared expert and the one column of its gate.
    assert not is_train
    return 4 * 3 * 2048 * 1408 + 2048 * 60 + 3 * 2048 * 5632 + 2048


cases = []
for name, count, layouts, phases in (
    (
        "mixtral-8x7b",
        count_mixtral,
        ["--dp 2 --ep 2 --tp 4", "--ep 2 --tp 8 --sequence-parallel",
         "--ep 8 --tp 2 --capacity-factor 2 --routing padded"],
        ["fwd", "train"],
    ),
    (
        "qwen1.5-moe-a2.7b",
        count_qwen,
        ["--ep 4 --tp 4", "--ep 4 --tp 4 --routing dropless"],
        ["fwd"],
    ),
):
    for layout in layouts:
        for phase in phases:
            cases.append((name, count, layout, phase))

platform = json.load(open(f"{source}/platforms/a800-2x8.json"))
platform["peak_tflops"] = 624
platform["peak_origin"] = "twice the data sheet's, for this test"
stated = f"{folder}/stated.json"
json.dump(platform, open(stated, "w"))

programs = 0
for name, count, layout, phase in cases:
    degrees = dict(zip(*[iter(layout.replace("--sequence-parallel", "").split())] * 2))
    sequences = 2 * int(degrees.get("--dp", 1)) * int(degrees["--ep"])
    plain, fast = f"{folder}/plain.mlir", f"{folder}/fast.mlir"
    run("moe-translate", "--import-hf-config",
        f"{source}/examples/configs/{name}.json", *layout.split(),
        "--micro-batch", "2", "--seq-len", "1024", "--layers", "2",
        "--phase", phase, "-o", plain)
    run("moe-opt", plain, "--moe-compile=to=schedule platform=a800-2x8", "-o",
        fast)
    tokens = sequences * 1024
    flops = 2 * 2 * tokens * count(1024, phase == "train")
    works = []
    for machine, peak in (("a800-2x8", 2e-6 / 6.41e-9), (stated, 624)):
        answer = json.loads(
            run("moe-sim", fast, "--platform", machine, "--baseline", plain,
                "--json"))
        for program in (answer, answer["baselines"][0]):
            seconds = program["makespan_us"] * 1e-6
            expect("tokens", program["step_tokens"], tokens)
            expect("work", program["model_flops"], flops)
            expect("rate", program["tokens_per_s"], tokens / seconds)
            expect("mfu", program["mfu"],
                   flops / (seconds * answer["ranks"] * peak * 1e12))
            expect("peak", program["peak_tflops"], peak)
            if program["mfu"] >= 1:
                sys.exit(f"{layout}: more than the peak")
    table = run("moe-sim", fast, "--platform", stated)
    if "of 624 TFLOP/s); assumes large GEMMs at 50 % of that" not in table or f"({tokens} per step)" not in table:
        sys.exit(f"no rates in the table:\n{table}")
    page = f"{folder}/page.html"
    first = run("moe-sim", fast, "--platform", stated, "--json", "--report", page)
    again = run("moe-sim", "--from-report", page, "--json")
    if first != again:
        sys.exit("a page that is read back says other things")
    programs += 1
print(f"{programs} programs: work as counted by hand, rates as defined")
