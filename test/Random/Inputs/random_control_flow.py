#!/usr/bin/env python3
"""Random control flow around collectives: no rule may deadlock a rank.

  random_control_flow.py [--count N] [--seed S] TMP

Every program is a nest of scf.if, scf.for, scf.while, scf.index_switch, calls
and functions of several blocks, each controlled by values that vary over random
mesh axes. It contains exchanges over axes that the surrounding control flow
does not vary over, mostly of values that are the same along other axes. After
every rule, and after moe-decompose-all-to-all, moe-verify-collectives must find
that ranks still meet, and moe-run must find equal values and terms (except for
programs with functions of several blocks, which it does not execute). Requires
moe-opt and moe-run in PATH. A failure keeps the program in TMP.before.mlir and
prints how to repeat it.
"""
import argparse
import random
import sys

from random_programs import RULES, run

MESHES = [[2, 2], [2, 3], [2, 2, 2], [2, 1, 4]]
NAMES = ["dp", "ep", "tp"]
PASSES = ["moe-rewrite-collectives{rules=%s}" % rule for rule in RULES] + [
    "moe-decompose-all-to-all",
    "moe-decompose-all-to-all{mode=hierarchical}",
    "moe-decompose-all-to-all{mode=hierarchical variant=1dh}",
]
TYPE = "tensor<24x2x12xf32>"
EXECUTED = ["if", "for", "call", "while", "index_switch"]
VERIFIED = EXECUTED + ["blocks"]


class Program:
    """Functions with growing text. `blocked` has the axes that the control flow
    around the current position varies over."""

    def __init__(self, rng, kinds):
        self.rng, self.kinds = rng, kinds
        self.shape = rng.choice(MESHES)
        self.axes = NAMES[-len(self.shape):]
        self.functions, self.lines, self.count = [], [], 0
        # Existing functions, with the axes that their collectives run over.
        self.callable = []

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text):
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    @staticmethod
    def group(axes):
        return "<@mesh, [" + ", ".join(f'"{a}"' for a in axes) + "]>"

    def some(self, axes):
        return self.rng.sample(axes, self.rng.randint(1, min(2, len(axes))))

    def steer(self):
        """An index that varies over the returned axes."""
        wide = [a for a, n in zip(self.axes, self.shape) if n > 1]
        axes = self.some(wide) if self.rng.random() < 0.8 else []
        if not axes:  # not a constant: the analysis would see what is dead
            two = self.emit("arith.constant 2 : index")
            return self.emit(f"arith.minui %n, {two} : index"), set()
        return (self.emit(f"moe.group_rank on {self.group(axes)} : index"),
                set(axes))

    def exchange(self, values, blocked, used):
        """A chain for the rules, over axes along which ranks stay together."""
        free = [a for a in self.axes if a not in blocked]
        if not free:
            return
        x, rng = rng_value(self.rng, values), self.rng
        for _ in range(rng.randint(1, 3)):
            axes = self.some(free)
            group = self.group(axes)
            size = 1
            for axis in axes:
                size *= self.shape[self.axes.index(axis)]
            part = f"tensor<24x2x{12 // size}xf32>" if 12 % size == 0 else None
            kind = rng.choice(["all_to_all", "all_to_all", "all_reduce",
                               "gather of drop"])
            used.update(axes)
            if kind == "all_to_all" and 24 % size == 0:
                x = self.emit(f"moe.all_to_all {x} on {group} split 0 concat 0 : {TYPE} -> {TYPE}")
            elif kind == "all_reduce" or part is None:
                x = self.emit(f"moe.all_reduce {x} on {group} reduction max : {TYPE}")
            else:
                d = self.emit(f"moe.drop {x} on {group} dim 2 : {TYPE} -> {part}")
                x = self.emit(f"moe.all_gather {d} on {group} dim 2 : {part} -> {TYPE}")
        values.append(x)

    def body(self, values, blocked, used, depth):
        """Lines of a region that sees `values`; yields the last value."""
        outer, self.lines = self.lines, []
        inner = list(values)
        self.fill(inner, blocked, used, depth)
        lines, self.lines = self.lines, outer
        return lines, inner[-1]

    def fill(self, values, blocked, used, depth):
        for _ in range(self.rng.randint(1, 3)):
            if depth >= 3 or self.rng.random() < 0.4:
                self.exchange(values, blocked, used)
            else:
                getattr(self, "make_" + self.rng.choice(self.kinds))(
                    values, blocked, used, depth)

    def make_if(self, values, blocked, used, depth):
        index, axes = self.steer()
        zero = self.emit("arith.constant 0 : index")
        condition = self.emit(f"arith.cmpi eq, {index}, {zero} : index")
        first, x = self.body(values, blocked | axes, used, depth + 1)
        second, y = self.body(values, blocked | axes, used, depth + 1)
        name = self.fresh()
        self.lines += [f"{name} = scf.if {condition} -> ({TYPE}) {{", *first,
                       f"scf.yield {x} : {TYPE}", "} else {", *second,
                       f"scf.yield {y} : {TYPE}", "}"]
        values.append(name)

    def make_index_switch(self, values, blocked, used, depth):
        index, axes = self.steer()
        first, x = self.body(values, blocked | axes, used, depth + 1)
        second, y = self.body(values, blocked | axes, used, depth + 1)
        name = self.fresh()
        self.lines += [f"{name} = scf.index_switch {index} -> {TYPE}",
                       "case 1 {", *first, f"scf.yield {x} : {TYPE}", "}",
                       "default {", *second, f"scf.yield {y} : {TYPE}", "}"]
        values.append(name)

    def make_for(self, values, blocked, used, depth):
        index, axes = self.steer()
        zero = self.emit("arith.constant 0 : index")
        one = self.emit("arith.constant 1 : index")
        carried, start = self.fresh(), values[-1]
        lines, x = self.body(values + [carried], blocked | axes, used, depth + 1)
        name = self.fresh()
        self.lines += [
            f"{name} = scf.for %i{name[2:]} = {zero} to {index} step {one} iter_args({carried} = {start}) -> ({TYPE}) {{",
            *lines, f"scf.yield {x} : {TYPE}", "}"]
        values.append(name)

    def make_while(self, values, blocked, used, depth):
        index, axes = self.steer()
        zero = self.emit("arith.constant 0 : index")
        one = self.emit("arith.constant 1 : index")
        carried, again, start = self.fresh(), self.fresh(), values[-1]
        # The part before the condition runs once more than the rest.
        before, x = self.body(values + [carried], blocked | axes, used, depth + 1)
        after, y = self.body(values + [again], blocked | axes, used, depth + 1)
        name = self.fresh()
        k = name[2:]
        self.lines += [
            f"{name}:2 = scf.while (%k{k} = {zero}, {carried} = {start}) : (index, {TYPE}) -> (index, {TYPE}) {{",
            *before, f"%c{k} = arith.cmpi ult, %k{k}, {index} : index",
            f"scf.condition(%c{k}) %k{k}, {x} : index, {TYPE}", "} do {",
            f"^bb0(%j{k}: index, {again}: {TYPE}):", *after,
            f"%n{k} = arith.addi %j{k}, {one} : index",
            f"scf.yield %n{k}, {y} : index, {TYPE}", "}"]
        values.append(f"{name}#1")

    def function(self, blocked, depth, blocks):
        """A new function for calls inside control flow that varies over
        `blocked`."""
        outer, self.lines = self.lines, []
        name, used = f"f{len(self.functions) + len(self.callable)}_{self.count}", set()
        values = ["%arg", self.emit(f"arith.constant dense<2.0> : {TYPE}")]
        if blocks:
            index, axes = self.steer()
            zero = self.emit("arith.constant 0 : index")
            condition = self.emit(f"arith.cmpi eq, {index}, {zero} : index")
            head, self.lines = self.lines, []
            lines = []
            for label in ("a", "b"):
                part, x = self.body(values, blocked | axes, used, depth + 1)
                lines += [f"^{label}:", *part, f"cf.br ^end({x} : {TYPE})"]
            # After the blocks have joined again, as after a branch that ended.
            tail, x = self.body(values + ["%met"], blocked | axes, used, depth + 1)
            body = head + [f"cf.cond_br {condition}, ^a, ^b", *lines,
                           f"^end(%met: {TYPE}):", *tail, f"return {x} : {TYPE}"]
        else:
            body, x = self.body(values, blocked, used, depth + 1)
            body = self.lines + body + [f"return {x} : {TYPE}"]
        self.lines = outer
        self.functions.append("\n".join([
            f"func.func private @{name}(%arg: {TYPE}, %n: index) -> {TYPE} {{", *body, "}"]))
        self.callable.append((name, used))
        return name, used

    def make_call(self, values, blocked, used, depth, blocks=False):
        known = [f for f in self.callable if not f[1] & blocked]
        if known and self.rng.random() < 0.5:
            name, inner = self.rng.choice(known)
        else:
            name, inner = self.function(blocked, depth, blocks)
        used.update(inner)
        values.append(self.emit(
            f"func.call @{name}({rng_value(self.rng, values)}, %n) : ({TYPE}, index) -> {TYPE}"))

    def make_blocks(self, values, blocked, used, depth):
        self.make_call(values, blocked, used, depth, blocks=True)

    def text(self):
        args, values = ["%n: index {moe.varying = []}"], []
        for i in range(self.rng.randint(1, 3)):
            varying = ", ".join(f'"{a}"' for a in self.axes
                                if self.rng.random() < 0.3)
            args.append(f"%a{i}: {TYPE} {{moe.varying = [{varying}]}}")
            values.append(f"%a{i}")
        while not self.lines or self.count < 12:
            self.fill(values, set(), set(), 0)
        axes = ", ".join(f'"{a}"' for a in self.axes)
        return "\n".join([
            f"moe.mesh @mesh axes [{axes}] shape {self.shape}",
            *self.functions,
            f"func.func @main({', '.join(args)}) -> {TYPE} {{", *self.lines,
            f"return {values[-1]} : {TYPE}", "}", ""])


def rng_value(rng, values):
    return rng.choice(values[-3:])


def check(seed, tmp, counts):
    rng = random.Random(seed)
    executed = rng.random() < 0.6
    program = Program(rng, EXECUTED if executed else VERIFIED).text()
    before, after = tmp + ".before.mlir", tmp + ".after.mlir"
    with open(before, "w") as file:
        file.write(program)
    plain = run("moe-opt", before, "--moe-verify-collectives")
    if plain.returncode != 0:
        sys.exit(f"seed {seed}: not valid\n{plain.stderr[-4000:]}")
    for name in PASSES:
        pipeline = f"builtin.module({name},moe-verify-collectives)"
        commands = [["moe-opt", before, f"--pass-pipeline={pipeline}", "-o", after]]
        if executed:
            commands += [["moe-run", after, f"--against={before}"],
                         ["moe-run", after, f"--against={before}", "--symbolic",
                          "--samples=1"]]
        for i, command in enumerate(commands):
            result = run(*command)
            if result.returncode != 0:
                sys.exit(f"seed {seed}, {name}: {' '.join(command)} ended with "
                         f"{result.returncode}\n{result.stdout[-4000:]}"
                         f"{result.stderr[-4000:]}\n"
                         f"repeat with --seed {seed} --count 1")
            if i == 0:
                with open(after) as file:
                    if file.read() == plain.stdout:
                        break
                counts[name] = counts.get(name, 0) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("tmp")
    args = parser.parse_args()
    counts = {}
    for seed in range(args.seed, args.seed + args.count):
        check(seed, args.tmp, counts)
    if "moe-rewrite-collectives{rules=deduplicate-all-to-all}" not in counts:
        sys.exit("nothing was deduplicated")
    print(f"{args.count} programs, {sum(counts.values())} rewritten ones: ranks "
          "meet, values are equal")


if __name__ == "__main__":
    main()
