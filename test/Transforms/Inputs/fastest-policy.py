"""Checks that a compilation took the fastest of several policies of circuits:

    fastest-policy.py AUTO.txt AUTO.mlir POLICY...

AUTO.txt holds the remarks of circuits=auto; POLICY.txt and POLICY.mlir are the
results of circuits=POLICY. The program must be that of the policy it names, and
no policy may be faster (the platform has no uncertainty).
"""

import pathlib
import re
import sys


def read_times(text):
    """Metrics of the first remark."""
    line = next(line for line in text.splitlines()
                if re.search("changes? of circuits", line))
    return {name: float(number)
            for name, number in re.findall(r"(\w*us)=([0-9.e+]+)", line)}


remarks = pathlib.Path(sys.argv[1]).read_text()
times = read_times(remarks)
policy = re.search(r"policy (\w+)", remarks).group(1)
alone = {name: read_times(pathlib.Path(name + ".txt").read_text())["us"]
         for name in sys.argv[3:]}
for name, time in alone.items():
    assert times[name + "_us"] == time, f"{name}: expected {time}, got {times}"
least = min(alone.values())
assert alone[policy] == least, f"{policy} takes {alone[policy]}, not {least}"
assert pathlib.Path(sys.argv[2]).read_text() == \
    pathlib.Path(policy + ".mlir").read_text(), f"not the program of {policy}"
print(f"{policy}: {alone}")
