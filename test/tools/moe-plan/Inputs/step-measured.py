"""Figures of measured steps: step-measured.py ANSWER PAGE COMMAND...

ANSWER has --calibration=1.25 and --measured-ms=1000. PAGE states the accuracy that
COMMAND prints for each kind of platform."""
import json
import re
import subprocess
import sys

answer = json.load(open(sys.argv[1]))
page = open(sys.argv[2]).read()
command = sys.argv[3:]
checks = 0


def check(got, expected):
    global checks
    checks += 1
    assert abs(got - expected) <= 1e-9 * abs(expected), (got, expected)


check(answer["calibrated_step_us"], 1.25 * answer["step_us"])
check(answer["measured"]["step_us"], 1e6)
check(answer["measured"]["predicted_over_measured"], answer["step_us"] / 1e6)


for what, factor in answer["measured"]["explained_by"].items():
    check(answer["step_us"] + (factor - 1) * answer["spent_us"][what], 1e6)
assert answer["measured"]["explained_by"]


def ask(platform, *options):
    run = subprocess.run([*command, f"--platform={platform}", "--measured-ms=1", "--json",
                          *options], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)["measured"]["published"]


def compare(published, row):
    for key, figure in zip(("steps", "median", "spread"), row):
        check(published[key], float(figure))


def find(kind):
    return re.search(rf"\| all of {kind}, but in sample \| (\d+) \| ([\d.]+) \| x([\d.]+)",
                     page).groups()


for platform in "dgx-h100", "dgx-h200", "dgx-h800", "p5-h100":
    compare(ask(f"{platform}-measured"), find("step on Hopper"))
    compare(ask(f"{platform}-measured", "--precision=fp8-blockwise"),
            find("step in 8 bits on Hopper"))
for platform in "dgx-b200", "dgx-b300", "gb200-nvl72", "gb300-nvl72":
    compare(ask(f"{platform}-measured"), find("step on Blackwell"))
    compare(ask(f"{platform}-measured", "--precision=mxfp8"),
            find("step in 8 bits on Blackwell"))
sheet = re.search(r"On the (\d+) Hopper steps.*?median is\s+([\d.]+)\s+and the spread ([\d.]+)\.",
                  page, re.S).groups()
compare(ask("dgx-h100"), sheet)
print(f"step-measured: {checks} checks")
