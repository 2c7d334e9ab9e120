"""Changes programs at random and passes them to the tool, which may reject them
but must not crash.

usage: mutate.py jax|torch COUNT SEED FILE...
"""

import pathlib
import random
import re
import subprocess
import sys

REWRITES = ["--moe-decompose-all-to-all", "--moe-pipeline=degree=2 scope=layer",
            "--moe-pipeline=degree=2", "--moe-schedule"]
PASSES = {
    "jax": ["--convert-stablehlo-to-moe", *REWRITES,
            "--convert-moe-to-stablehlo"],
    "torch": ["--convert-torch-to-moe=mesh=ep=2,tp=2 "
              "groups=0=ep,1=tp,ep=ep,tp=tp varying=0=ep,1=ep layers=true",
              *REWRITES, "--convert-moe-to-torch"],
}[sys.argv[1]]
BATCH = 100

count, seed = int(sys.argv[2]), int(sys.argv[3])
programs = [pathlib.Path(file).read_text() for file in sys.argv[4:]]
rng = random.Random(seed)


def number(match):
    return rng.choice([
        "0", "1", "2", "3", "-1", "7", "9223372036854775807",
        "-9223372036854775808", str(int(match[0]) + 1), match[0] + match[0]])


def replace(pattern, text, choose):
    """Replaces one match with another text."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = rng.choice(found)
    return text[:match.start()] + choose(match) + text[match.end():]


def another(pattern):
    def choose(text):
        options = [m[0] for m in re.finditer(pattern, text)]
        return replace(pattern, text, lambda _: rng.choice(options))
    return choose


KINDS = [
    # Numbers of shapes, dims, groups, meshes and constants.
    lambda t: replace(r"(?<![%\w.])\d+(?!\w)", t, number),
    lambda t: replace(r"(?<=x)\d+(?=x)|(?<=<)\d+(?=x)", t, number),
    another(r"tensor<[^>]*>"),
    another(r"%\w+"),
    another(r'"(?:stablehlo|sdy|chlo|torch)\.[\w.]+"'),
    another(r'(?<=\{)"?\w*"?(?=\})'),
    another(r"@\w+"),
    # One attribute less, or of another kind.
    lambda t: replace(r"\w+ = [^<>{}=,]+, ", t, lambda m: ""),
    lambda t: replace(r"dense<[^>]*> : tensor<[^>]*>", t,
                      lambda m: rng.choice(["unit", "dense<0> : tensor<0x0xi64>",
                                            "dense<[[0, 0]]> : tensor<1x2xi64>",
                                            '"text"', "[]", "{}"])),
    lambda t: replace(r"#(?:sdy|stablehlo)[^ ]*<[^<>]*>", t,
                      lambda m: rng.choice(["unit", "#sdy<x>", "#sdy.mesh<[]>",
                                            "#stablehlo.dot<lhs>", "[unit]"])),
    # An op less, or twice.
    lambda t: replace(r"\n[^\n]*", t, lambda m: ""),
    lambda t: replace(r"\n[^\n]*", t, lambda m: m[0] * 2),
]


def mutate():
    text = rng.choice(programs)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
        text = rng.choice(KINDS)(text)
    return text.replace("// -----", "")


accepted = 0
for start in range(0, count, BATCH):
    batch = [mutate() for _ in range(min(BATCH, count - start))]
    done = subprocess.run(
        ["moe-opt", "-", "--split-input-file", "--mlir-print-op-generic",
         *PASSES],
        input="\n// -----\n".join(batch), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, timeout=600)
    if done.returncode not in (0, 1):
        for text in batch:
            one = subprocess.run(["moe-opt", "-", *PASSES], input=text,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
            if one.returncode not in (0, 1):
                sys.exit(f"exit code {one.returncode} of\n{text}\n"
                         f"{one.stderr[-3000:]}")
        sys.exit(f"exit code {done.returncode} of a batch\n"
                 f"{done.stderr[-3000:]}")
    accepted += done.stdout.count('"builtin.module"')
print(f"{count} programs, {accepted} of them accepted, none crashed")
