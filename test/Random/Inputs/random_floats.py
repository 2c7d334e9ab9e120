#!/usr/bin/env python3
"""Random expressions of floats through upstream's folds.

  random_floats.py [--count N] [--seed S] TMP

Each program has a few dozen expressions of arith and math on f16, bf16, f32 and
f64 with constants that tempt a folder: zeros of both signs, ones, infinities,
NaN, numbers that round. The results of --canonicalize, --cse and --sccp are
proved equal to it, and are equal bit for bit on arguments with special values,
interpreted and, for some, compiled. Then one expression is changed in a way
that an eager folder might ignore; no proof may succeed if values differ.
Requires moe-opt and moe-run in PATH. A failure keeps the program in
TMP.before.mlir and prints how to repeat it.
"""
import argparse
import random
import subprocess
import sys

TYPES = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
CONSTANTS = {
    "f16": ["0x7C00", "0xFC00", "0x7E00"],
    "bf16": ["0x7F80", "0xFF80", "0x7FC0"],
    "f32": ["0x7F800000", "0xFF800000", "0x7FC00000", "16777216.0", "0.1"],
    "f64": ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000",
            "9007199254740992.0", "0.1"],
}
COMMON = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0"]
BINARY = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf",
          "minnumf"]
UNARY = ["absf", "floor", "ceil", "sqrt", "exp", "tanh", "trunc"]
PREDICATES = ["oeq", "ogt", "olt", "une", "uge", "ord", "uno"]
PASSES = ["canonicalize", "cse", "sccp"]
SIZE = 48


class Program:
    def __init__(self, rng, types):
        self.rng, self.lines, self.count = rng, [], 0
        self.values = {type: [f"%{type}_{i}" for i in range(2)]
                       for type in types}
        self.arguments = [(v, t) for t, vs in self.values.items() for v in vs]
        self.conditions = []

    def tensor(self, type):
        return f"tensor<{SIZE}x{type}>"

    def emit(self, text, type=None):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        (self.conditions if type is None else self.values[type]).append(name)
        return name

    def pick(self, type):
        """A constant, an argument or the most recent value."""
        if self.rng.random() < 0.35:
            value = self.rng.choice(COMMON + CONSTANTS[type])
            return self.emit(f"arith.constant dense<{value}> : "
                             f"{self.tensor(type)}", type)
        values = self.values[type]
        return self.rng.choice(values[:2] + values[-6:])

    def step(self):
        rng = self.rng
        type = rng.choice(list(self.values))
        kind = rng.choice(["binary", "binary", "binary", "unary", "negate",
                           "cast", "cast", "compare", "select"])
        t = self.tensor(type)
        if kind == "binary":
            op = rng.choice(BINARY)
            flags = rng.choice(["", "", "", " fastmath<none>"])
            self.emit(f"arith.{op} {self.pick(type)}, {self.pick(type)}{flags}"
                      f" : {t}", type)
        elif kind == "unary":
            self.emit(f"math.{rng.choice(UNARY)} {self.pick(type)} : {t}",
                      type)
        elif kind == "negate":
            self.emit(f"arith.negf {self.pick(type)} : {t}", type)
        elif kind == "cast":
            other = rng.choice([u for u in self.values
                                if TYPES[u] != TYPES[type]])
            op = "extf" if TYPES[other] > TYPES[type] else "truncf"
            self.emit(f"arith.{op} {self.pick(type)} : {t} to "
                      f"{self.tensor(other)}", other)
        elif kind == "compare":
            self.emit(f"arith.cmpf {rng.choice(PREDICATES)}, "
                      f"{self.pick(type)}, {self.pick(type)} : {t}")
        elif self.conditions:
            self.emit(f"arith.select {rng.choice(self.conditions)}, "
                      f"{self.pick(type)}, {self.pick(type)} : "
                      f"{self.tensor('i1')}, {t}", type)

    def text(self, change=None):
        """`change` replaces text of the program."""
        results = [(v, t) for t, vs in self.values.items() for v in vs[2:]
                   if f"{v} = arith.constant" not in "\n".join(self.lines)]
        args = ", ".join(f"{v}: {self.tensor(t)}" for v, t in self.arguments)
        types = ", ".join(self.tensor(t) for _, t in results)
        lines = [change(line) if change else line for line in self.lines]
        return (f"func.func @main({args}) -> ({types}) {{\n  "
                + "\n  ".join(lines)
                + f"\n  return {', '.join(v for v, _ in results)} : {types}\n"
                  "}\n")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def check(describe, code, *command):
    done = run(*command)
    if done.returncode not in code:
        sys.exit(f"{describe}: {' '.join(command)}\n{done.stdout[-3000:]}"
                 f"{done.stderr[-3000:]}")
    return done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tmp")
    args = parser.parse_args()
    before, after = args.tmp + ".before.mlir", args.tmp + ".after.mlir"
    refuted = 0
    for seed in range(args.seed, args.seed + args.count):
        rng = random.Random(seed)
        compiled = seed % 5 == 0
        program = Program(rng, ["f32", "f64"] if compiled else list(TYPES))
        while program.count < 60:
            program.step()
        with open(before, "w") as file:
            file.write(program.text())
        passes = [f"--{p}" for p in rng.choices(PASSES, k=3)]
        describe = f"seed {seed}, {' '.join(passes)}, repeat with --seed " \
                   f"{seed} --count 1"
        check(describe, [0], "moe-opt", before, *passes, "-o", after)
        against = f"--against={before}"
        check(describe, [0], "moe-run", after, against, "--symbolic")
        values = ["--special-values", f"--seed={seed}"]
        check(describe, [0], "moe-run", after, against, *values)
        if compiled:
            check(describe, [0], "moe-run", after, against, *values,
                  "--backend=host")
        # A zero of the other sign, or a comparison that treats NaN differently.
        old, new = rng.choice([("dense<0.0>", "dense<-0.0>"),
                               ("dense<-0.0>", "dense<0.0>"),
                               (" olt,", " ult,"), ("maximumf", "maxnumf"),
                               ("subf", "addf"), ("minnumf", "minimumf")])
        with open(after, "w") as file:
            file.write(program.text(lambda line: line.replace(old, new)))
        proof = check(describe, [0, 1], "moe-run", after, against,
                      "--symbolic")
        equal = check(describe, [0, 1], "moe-run", after, against, *values)
        if proof == 0 and equal == 1:
            sys.exit(f"{describe}: {old} as {new} proved, and values differ")
        refuted += equal
    print(f"{args.count} programs equal, {refuted} changed ones refuted")


if __name__ == "__main__":
    main()
