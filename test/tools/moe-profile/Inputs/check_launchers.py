"""Writes a log as launchers and log collectors print it, with lines of other
programs in between, and compares each fit with the fit of the log alone."""

import json
import subprocess
import sys

LABELS = {
    "openmpi": "[1,0]<stdout>:",
    "openmpi5": "[prterun-host-42@1,0]<stdout>: ",
    "openmpi-timestamp": "Thu Oct  2 20:23:%02d 2025[1,0]<stdout>:",
    "hydra": "[0] ",
    "srun": " 0: ",
    "pdsh": "node-0.example: ",
    "compose": "trainer-1  | ",
    "kubectl": "[pod/nccl-launcher-x7/main] ",
    "kubectl-timestamp": "2025-10-02T20:23:%02d.120481233Z ",
    "cri": "2025-10-02T20:23:%02d.120481233+00:00 stdout F ",
    "operator": "2025-10-02T20:23:%02d.1Z [1,0]<stdout>:",
    "logger": "2025-10-02 20:23:%02d,120 - INFO - ",
    "brackets": "[2025/10/02 20:23:%02d] ",
    "time-of-day": "20:23:%02d.5 | ",
    "syslog": "Oct  2 20:23:%02d node0 nccl[71]: ",
    "seconds": "[17594366%02d.25] ",
    "torchrun": "[default0]:",
    "ray": "(pid=712, ip=10.0.0.1) ",
    "quote": "> ",
    "colour": "\x1b[32m[1,0]<stdout>:\x1b[0m",
    "plain": "",
}
# Reads in blocks, and labels the middle of a line if a block begins there.
BLOCKS = "[1,0]<stdout>:"
SAID = [
    "srun: job 12345 queued and waiting for resources",
    "Warning: Permanently added 'node1' (ED25519) to the list of known hosts.",
    "NCCL version 2.26.6+cuda12.8",
    "node0:17:17 [0] NCCL INFO Using network Socket",
    "[1,9]<stderr>:a warning of another task",
    "3 warnings",
]


def launch(log, label):
    """The log, and the number of lines from other programs."""
    text, said = "\ufeff", 0
    for number, line in enumerate(log.splitlines()):
        if number % 3 == 0:
            text += SAID[said % len(SAID)] + "\n"
            said += 1
        text += (label % (number % 60) if "%" in label else label) + line
        text = text.rstrip() + ("\r\n" if number % 2 else "\n")
    return text + "\nreal 0m12s\n0 42 files\n", said + 2


def fit(name, *options):
    run = subprocess.run(["moe-profile", "fit", name, "-o", "out.json", *options],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    [level] = json.load(open("out.json"))["levels"]
    [line] = level["collectives"].values()
    del line["origin"]
    return line, run.stderr


expected, said = fit(sys.argv[1])
assert "remark" not in said, said
for launcher, label in LABELS.items():
    text, number = launch(open(sys.argv[1]).read(), label)
    with open(launcher + ".log", "w", newline="") as file:
        file.write(text)
    line, said = fit(launcher + ".log")
    assert line == expected, (launcher, line, expected)
    assert said.count("remark") == 1, said
    assert f"{launcher}.log: passed over {number} lines" in said, (number, said)
text = "".join(BLOCKS + line + "\n" for line in open(sys.argv[1]).read().splitlines())
for at in range(3000, len(text), 997):
    text = text[:at] + BLOCKS + text[at:]
with open("blocks.log", "w") as file:
    file.write(text)
line, said = fit("blocks.log")
assert line == expected and "remark" not in said, (line, said)
print(len(LABELS), "launchers")
