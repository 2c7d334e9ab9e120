#!/usr/bin/env python3
"""Random programs through random passes, each proved equal to the original.

  random_programs.py [--count N] [--seed S] TMP

Every program is made of collectives, local data movement, experts and
elementwise ops on a random mesh, some of them in branches and loops; every
pass sequence mixes ours with upstream's. Needs moe-opt and moe-run in PATH. A
failure keeps the program in TMP.before.mlir and prints how to repeat it.
"""
import argparse
import random
import subprocess
import sys

MESHES = [[2, 2], [4, 2], [2, 3], [3, 5], [1, 2, 3], [2, 2, 2], [2, 1, 4]]
NAMES = ["dp", "ep", "tp"]
PASSES = [
    "canonicalize", "cse", "loop-invariant-code-motion", "control-flow-sink",
    "sccp", "symbol-dce", "moe-decompose-all-to-all",
    "moe-decompose-all-to-all{drop-dim=1}",
    "moe-decompose-all-to-all{mode=hierarchical}",
    "moe-decompose-all-to-all{mode=hierarchical variant=1dh}",
    "moe-compile{to=decompose}", "moe-pipeline{degree=2}",
    "moe-pipeline{degree=3 scope=layer}", "moe-pipeline{degree=2 dim=1}",
    "moe-schedule",
]
RULES = [
    "deduplicate-all-to-all", "gather-after-all-to-all",
    "scatter-before-all-to-all", "transpose-before-all-reduce",
    "scatter-before-transpose", "gather-after-rowwise",
    "gather-after-all-reduce", "all-gather-of-drop", "drop-before-all-reduce",
    "drop-of-all-reduce", "all-gather-of-reduce-scatter", "merge-all-gathers",
    "merge-drops", "split-all-to-all",
]
MAX_ELEMENTS = 3000


def elements(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.shape = rng.choice(MESHES)
        self.axes = NAMES[-len(self.shape):]
        self.args, self.values, self.lines, self.count = [], [], [], 0

    def argument(self, shape, varying=None):
        if varying is None:
            varying = [a for a in self.axes if self.rng.random() < 0.5]
        name = f"%a{len(self.args)}"
        listed = ", ".join(f'"{a}"' for a in varying)
        self.args.append(f"{name}: {type_of(shape)} {{moe.varying = [{listed}]}}")
        return name

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def group(self):
        axes = self.rng.sample(self.axes, self.rng.randint(1, min(2, len(self.axes))))
        size = 1
        for axis in axes:
            size *= self.shape[self.axes.index(axis)]
        return "<@mesh, [" + ", ".join(f'"{a}"' for a in axes) + "]>", size

    def emit(self, text, shape):
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name, shape

    def step(self, values, depth):
        """One random op on the available values; None if it does not fit."""
        rng = self.rng
        x, shape = rng.choice(values[-4:])
        t = type_of(shape)
        group, n = self.group()
        dim = rng.randrange(len(shape)) if shape else 0

        def resized(d, size):
            return shape[:d] + [size] + shape[d + 1:]

        kind = rng.choice([
            "all_to_all", "all_to_all", "all_to_all", "all_gather", "drop",
            "drop", "reduce_scatter", "all_reduce", "transpose", "elementwise",
            "assemble", "experts", "if", "for", "layer"])
        if kind == "all_to_all":
            other = dim if rng.random() < 0.6 else rng.randrange(len(shape))
            if shape[dim] % n:
                return None
            out = list(shape)
            out[dim] //= n
            out[other] *= n
            return self.emit(f"moe.all_to_all {x} on {group} split {dim} concat {other} : {t} -> {type_of(out)}", out)
        if kind == "all_gather":
            out = resized(dim, shape[dim] * n)
            if elements(out) > MAX_ELEMENTS:
                return None
            return self.emit(f"moe.all_gather {x} on {group} dim {dim} : {t} -> {type_of(out)}", out)
        if kind in ("drop", "reduce_scatter"):
            if shape[dim] % n:
                return None
            out = resized(dim, shape[dim] // n)
            return self.emit(f"moe.{kind} {x} on {group} dim {dim} : {t} -> {type_of(out)}", out)
        if kind == "all_reduce":
            how = rng.choice(["", "", " reduction max"])
            return self.emit(f"moe.all_reduce {x} on {group}{how} : {t}", shape)
        if kind == "transpose":
            order = rng.sample(range(len(shape)), len(shape))
            out = [shape[d] for d in order]
            return self.emit(f"moe.transpose {x} {order} : {t} -> {type_of(out)}", out)
        if kind == "elementwise":
            mates = [v for v, s in values if s == shape]
            y = rng.choice(mates)
            return self.emit(f"arith.{rng.choice(['addf', 'mulf', 'subf'])} {x}, {y} : {t}", shape)
        if kind == "assemble":
            mates = [(v, s) for v, s in values if len(s) == len(shape) and
                     s[:dim] + s[dim + 1:] == shape[:dim] + shape[dim + 1:]]
            y, other = rng.choice(mates)
            out = resized(dim, shape[dim] + other[dim])
            if elements(out) > MAX_ELEMENTS:
                return None
            return self.emit(f"moe.assemble {x}, {y} dim {dim} : {t}, {type_of(other)} -> {type_of(out)}", out)
        if kind == "experts":
            e, m = shape[0], shape[-1]
            varying = [a for a in self.axes if rng.random() < 0.4]
            w1 = self.argument([e, m, 3], varying)
            w2 = self.argument([e, 3, m], varying)
            return self.emit(f"moe.experts gpt {x}, {w1}, {w2} : {t}, {type_of([e, m, 3])}, {type_of([e, 3, m])} -> {t}", shape)
        if depth >= 2:
            return None
        return self.nest(kind, values, depth)

    def nest(self, kind, values, depth):
        """An op with a region that uses the values around it."""
        outer, self.lines = self.lines, []
        inner = list(values)
        if kind == "for":
            x, shape = self.rng.choice(values[-4:])
            carried = self.fresh()
            inner.append((carried, shape))
            self.extend(inner, self.rng.randint(1, 4), depth + 1)
            same = [v for v, s in inner if s == shape]
            body, self.lines = self.lines, outer
            name = self.fresh()
            trips = self.rng.choice(["%zero", "%one", "%two"])
            self.lines += [
                f"{name} = scf.for %i{name[2:]} = %zero to {trips} step %one iter_args({carried} = {x}) -> ({type_of(shape)}) {{",
                *body, f"scf.yield {same[-1]} : {type_of(shape)}", "}"]
            return name, shape
        self.extend(inner, self.rng.randint(1, 4), depth + 1)
        x, shape = inner[-1]
        body, self.lines = self.lines, outer
        same = [v for v, s in values if s == shape]
        name = self.fresh()
        t = type_of(shape)
        if kind == "if" and same:
            condition = self.rng.choice(["%true", "%false", "%cond"])
            self.lines += [f"{name} = scf.if {condition} -> ({t}) {{", *body,
                           f"scf.yield {x} : {t}", "} else {",
                           f"scf.yield {self.rng.choice(same)} : {t}", "}"]
        else:
            self.lines += [f'{name} = moe.layer "{name[2:]}" phase "fwd" {{', *body,
                           f"moe.yield {x} : {t}", f"}} : {t}"]
        return name, shape

    def extend(self, values, count, depth):
        while count:
            made = self.step(values, depth)
            if made:
                values.append(made)
                count -= 1

    def text(self):
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            shape = [rng.choice([1, 2, 3, 4, 6, 12, 5, 30]) for _ in range(rng.randint(3, 4))]
            while elements(shape) > MAX_ELEMENTS // 4:
                shape[rng.randrange(len(shape))] = 2
            self.values.append((self.argument(shape), shape))
        self.extend(self.values, rng.randint(3, 12), 0)
        results = self.values[-1:] + rng.sample(self.values, rng.randint(0, 2))
        types = ", ".join(type_of(s) for _, s in results)
        axes = ", ".join(f'"{a}"' for a in self.axes)
        self.args.append("%cond: i1 {moe.varying = []}")
        return "\n".join([
            f"moe.mesh @mesh axes [{axes}] shape {self.shape}",
            f"func.func @main({', '.join(self.args)}) -> ({types}) {{",
            "%zero = arith.constant 0 : index", "%one = arith.constant 1 : index",
            "%two = arith.constant 2 : index", "%true = arith.constant true",
            "%false = arith.constant false", *self.lines,
            "return " + ", ".join(v for v, _ in results) + " : " + types, "}", ""])


def pipeline(rng):
    names = []
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.4:
            rules = rng.sample(RULES, rng.randint(1, 5))
            names.append("moe-rewrite-collectives{rules=" + ",".join(rules) + "}")
        else:
            names.append(rng.choice(PASSES))
    # moe-compile refuses programs that were chunked or scheduled before it.
    for i, name in enumerate(names):
        if name.startswith(("moe-pipeline", "moe-schedule")):
            names[i:] = [n for n in names[i:] if "moe-compile" not in n]
            break
    return "builtin.module(" + ",".join(names) + ")"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tmp")
    args = parser.parse_args()
    changed = 0
    for seed in range(args.seed, args.seed + args.count):
        rng = random.Random(seed)
        program, passes = Program(rng).text(), pipeline(rng)
        before, after = args.tmp + ".before.mlir", args.tmp + ".after.mlir"
        with open(before, "w") as file:
            file.write(program)
        commands = [
            ["moe-opt", before, f"--pass-pipeline={passes}", "-o", after],
            ["moe-run", after, f"--against={before}", "--symbolic", "--samples=1"],
            ["moe-run", after, f"--against={before}"],
        ]
        # Sums of more than two terms depend on their order in floats.
        if "all_reduce" in program or "reduce_scatter" in program:
            commands.pop()
        for command in commands:
            result = run(*command)
            if result.returncode != 0:
                sys.exit(f"seed {seed}, passes {passes}: " + " ".join(command)
                         + f" ended with {result.returncode}\n{program}\n"
                         + result.stdout[-4000:] + result.stderr[-4000:]
                         + f"\nrepeat with --seed {seed} --count 1")
        plain = run("moe-opt", before)
        with open(after) as file:
            changed += file.read() != plain.stdout
    if changed * 2 < args.count:
        sys.exit(f"only {changed} of {args.count} programs were changed")
    print(f"{args.count} programs proved equal, {changed} changed by the passes")


if __name__ == "__main__":
    main()
