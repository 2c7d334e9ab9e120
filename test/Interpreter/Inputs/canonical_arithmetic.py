"""Canonicalizes many small expressions of upstream arithmetic at once and
proves them equal to the originals; then shows that pairs which only resemble
such an identity are distinguished.

Usage: canonical_arithmetic.py TMP
"""

import itertools
import subprocess
import sys

ARGS = {"%x": "f32", "%y": "f32", "%h": "f16", "%b": "bf16", "%d": "f64"}
FLOAT_OPS = ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf",
             "maxnumf", "minnumf"]
FLOATS = ["0.0", "-0.0", "1.0", "-1.0", "2.0", "16777216.0", "0x7F800000",
          "0xFF800000", "0x7FC00000"]
COMPARISONS = ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq",
               "ugt", "uge", "ult", "ule", "une", "uno", "true"]
INTEGER_OPS = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui",
               "minsi", "minui"]
DIVISIONS = ["divsi", "divui", "floordivsi", "ceildivsi", "ceildivui", "remsi",
             "remui", "shli", "shrsi", "shrui"]
INTEGERS = ["0", "1", "-1", "2", "2147483647", "-2147483648"]


WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


class Body:
    """SSA text of expressions; equal ones are created once."""

    def __init__(self):
        self.lines, self.names, self.types = [], {}, dict(ARGS)

    def add(self, text, type):
        if text not in self.names:
            name = self.names[text] = f"%v{len(self.names)}"
            self.lines.append(f"  {name} = {text}")
            self.types[name] = type
        return self.names[text]

    def constant(self, value, type):
        shown = value if type == "i1" else f"{value} : {type}"
        return self.add(f"arith.constant {shown}", type)

    def op(self, name, *operands):
        type = self.types[operands[0]]
        return self.add(f"arith.{name} {', '.join(operands)} : {type}", type)

    def cast(self, name, operand, type, flags=""):
        return self.add(f"arith.{name} {operand}{flags} : "
                        f"{self.types[operand]} to {type}", type)

    def compare(self, predicate, a, b):
        kind = "cmpf" if self.types[a].startswith("f") else "cmpi"
        return self.add(
            f"arith.{kind} {predicate}, {a}, {b} : {self.types[a]}", "i1")

    def select(self, condition, a, b):
        return self.add(
            f"arith.select {condition}, {a}, {b} : {self.types[a]}",
            self.types[a])

    def module(self, results):
        types = ", ".join(self.types[r] for r in results)
        args = ", ".join(f"{n}: {t}" for n, t in ARGS.items())
        return (f"func.func @main({args}) -> ({types}) {{\n"
                + "\n".join(self.lines)
                + f"\n  return {', '.join(results)} : {types}\n}}\n")


def floats(b):
    leaves = ["%x", "%y", b.op("negf", "%x"), b.op("negf", "%y")]
    leaves += [b.constant(v, "f32") for v in FLOATS]
    for name, left, right in itertools.product(FLOAT_OPS, leaves, leaves):
        value = b.op(name, left, right)
        yield value
        yield b.op("negf", value)
    yield b.op("negf", b.op("negf", b.op("negf", "%x")))
    for predicate, left, right in itertools.product(COMPARISONS, leaves,
                                                    leaves):
        yield b.compare(predicate, left, right)


def casts(b):
    wide = b.cast("extf", "%x", "f64")
    yield b.cast("truncf", wide, "f32")
    yield b.cast("truncf", b.cast("extf", "%h", "f32"), "f16")
    yield b.cast("extf", b.cast("truncf", "%x", "f16"), "f32")
    # Chains: through every type that is wider, and then to every other.
    for start in ["%h", "%b", "%x"]:
        chains = [start]
        for _ in range(3):
            chains += [b.cast("extf", c, t) for c in chains
                       for t in ["f32", "f64"]
                       if WIDTHS[t] > WIDTHS[b.types[c]]]
            chains += [b.cast("truncf", c, t) for c in chains
                       for t in ["f16", "bf16", "f32"]
                       if WIDTHS[t] < WIDTHS[b.types[c]]]
            chains = sorted(set(chains))
        yield from chains
        for c in chains:
            yield b.cast("fptosi", c, "i32")
    integer = b.cast("fptosi", "%x", "i16")
    for name, back in itertools.product(["extsi", "extui"], repeat=2):
        middle = b.cast(name, integer, "i32")
        wide = b.cast(back, middle, "i64")
        yield wide
        yield b.cast("sitofp", middle, "f64")
        yield b.cast("uitofp", wide, "f64")
        for type in ["i8", "i16", "i32"]:
            yield b.cast("trunci", wide, type)
            yield b.cast("trunci", b.cast("trunci", wide, "i32"),
                         "i8" if type == "i32" else type)
        yield b.cast("index_cast", b.cast("index_cast", middle, "index"),
                     "i32")
        yield b.cast("index_cast", middle, "index")
    bits = b.cast("bitcast", "%x", "i32")
    yield b.cast("bitcast", b.cast("bitcast", "%h", "bf16"), "i16")
    yield b.cast("bitcast", bits, "f32")
    for name in ["extsi", "extui"]:
        for value in [bits, b.compare("olt", "%x", "%y")]:
            wider = b.cast(name, value, "i64")
            yield b.cast("trunci", wider, b.types[value])


def integers(b):
    i, j = (b.cast("fptosi", v, "i32") for v in ["%x", "%y"])
    constants = [b.constant(v, "i32") for v in INTEGERS]
    for name in INTEGER_OPS:
        for c in constants:
            yield b.op(name, i, c)
            yield b.op(name, c, i)
        yield b.op(name, i, i)
        yield b.op(name, i, j)
    one, zero = constants[1], constants[0]
    for name in DIVISIONS:
        yield b.op(name, i, zero if name.startswith("sh") else one)
        yield b.op(name, i, j)
    for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule",
                      "ugt", "uge"]:
        yield b.compare(predicate, i, i)


def selections(b):
    true, false = (b.constant(v, "i1") for v in ["true", "false"])
    c, d = (b.compare(p, "%x", "%y") for p in ["olt", "oeq"])
    nots = [b.op("xori", v, true) for v in [c, d]]
    yield b.op("xori", nots[0], true)
    inner = b.select(c, "%x", "%y")
    for condition in [c, d, true, false, *nots]:
        for left, right in itertools.product(["%x", "%y", inner], repeat=2):
            yield b.select(condition, left, right)
    yield b.select(c, true, false)
    for name in ["andi", "ori", "xori"]:
        for value in [c, d, true, false]:
            yield b.op(name, c, value)


def lookalikes():
    """Pairs that differ."""
    def pair(make):
        def side(which):
            b = Body()
            return b.module([make(b, which)])
        return side(0), side(1)

    def constant(b, value):
        return b.constant(value, "f32")

    yield pair(lambda b, s: ["%x", b.op("negf", "%x")][s])
    yield pair(lambda b, s: ["%x", b.op("mulf", "%x", constant(b, "2.0"))][s])
    yield pair(lambda b, s: ["%x", b.op("mulf", "%x", constant(b, "-1.0"))][s])
    yield pair(lambda b, s: ["%x", b.op("subf", constant(b, "0.0"), "%x")][s])
    yield pair(lambda b, s: ["%x", b.op("divf", constant(b, "1.0"), "%x")][s])
    # Not zero of an infinity.
    yield pair(lambda b, s: [constant(b, "0.0"), b.op("subf", "%x", "%x")][s])
    yield pair(lambda b, s: [constant(b, "1.0"), b.op("divf", "%x", "%x")][s])
    yield pair(lambda b, s: [
        "%x", b.op("maximumf", "%x", constant(b, "0x7F800000"))][s])
    # A NaN wins in one and loses in the other.
    yield pair(lambda b, s: [
        "%x", b.op("maximumf", "%x", constant(b, "0x7FC00000"))][s])
    yield pair(lambda b, s: [
        b.op(["maximumf", "maxnumf"][s], "%x", "%y"),][0])
    yield pair(lambda b, s: [
        "%x", b.cast("extf", b.cast("truncf", "%x", "f16"), "f32")][s])
    # Back to a type other than the original one.
    yield pair(lambda b, s: b.cast(
        "extf", b.cast("truncf", b.cast("extf", "%h", "f32"),
                       ["f16", "bf16"][s]), "f64"))
    yield pair(lambda b, s: b.select(
        b.op("xori", b.compare("olt", "%x", "%y"), b.constant(
            ["true", "false"][s], "i1")), "%x", "%y"))
    yield pair(lambda b, s: b.compare(["olt", "ult"][s], "%x",
                                      constant(b, "0x7FC00000")))
    # 0.0 of -0.0, in any place of a sum.
    yield pair(lambda b, s: ["%x", b.op("addf", "%x", constant(b, "0.0"))][s])
    yield pair(lambda b, s: b.op("addf", ["%x", b.op(
        "addf", "%x", constant(b, "0.0"))][s], "%y"))
    yield pair(lambda b, s: ["%x", b.op("subf", "%x", constant(b, "-0.0"))][s])
    yield pair(lambda b, s: [
        b.op("negf", "%x"), b.op("subf", constant(b, "0.0"), "%x")][s])
    yield pair(lambda b, s: [
        constant(b, "0.0"), b.op("mulf", "%x", constant(b, "0.0"))][s])
    # 1 in one order and 0 in the other.
    yield pair(lambda b, s: b.op("addf", constant(b, "16777216.0"), b.op(
        "addf", constant(b, "1.0"), "%x")) if s else b.op(
            "addf", constant(b, "16777216.0"), "%x"))
    # An op with flags is another function, also for sums.
    for name in ["addf", "mulf", "divf", "negf"]:
        operands = "%x" if name == "negf" else "%x, %y"
        yield pair(lambda b, s, name=name, operands=operands: b.add(
            f"arith.{name} {operands}{['', ' fastmath<nsz>'][s]} : f32",
            "f32"))
    # Rewrites that only a flag allows.
    yield pair(lambda b, s: [constant(b, "0.0"), b.add(
        f"arith.mulf %x, {constant(b, '0.0')} fastmath<nnan,nsz> : f32",
        "f32")][s])
    yield pair(lambda b, s: ["%x", b.cast("extf", b.cast(
        "truncf", "%x", "f16", " fastmath<contract>"), "f32",
        " fastmath<contract>")][s])
    # Rounded once and rounded twice, and rounded in other ways.
    yield pair(lambda b, s: b.cast("truncf", ["%d", b.cast(
        "truncf", "%d", "f32")][s], "bf16"))
    yield pair(lambda b, s: b.cast("truncf", "%d", "bf16") if not s else b.add(
        "arith.truncf %d to_nearest_away : f64 to bf16", "bf16"))
    yield pair(lambda b, s: b.cast(["extsi", "extui"][s], b.cast(
        "fptosi", "%x", "i16"), "i32"))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def flags(b):
    """Folds that hold bit for bit, of ops with flags."""
    for name, value in [("addf", "-0.0"), ("subf", "0.0"), ("mulf", "1.0"),
                        ("divf", "1.0")]:
        c = b.constant(value, "f32")
        for operands in [f"%x, {c}", f"{c}, %x"]:
            yield b.add(f"arith.{name} {operands} fastmath<fast> : f32", "f32")
    twice = b.add("arith.negf %x fastmath<fast> : f32", "f32")
    yield b.add(f"arith.negf {twice} fastmath<fast> : f32", "f32")
    wide = b.cast("extf", "%h", "f64", " fastmath<contract>")
    yield b.cast("truncf", wide, "f16", " fastmath<contract>")
    yield b.cast("truncf", wide, "f32", " fastmath<contract>")


def main(tmp):
    before, after = tmp + ".before.mlir", tmp + ".after.mlir"
    for make in [floats, casts, integers, selections, flags]:
        body = Body()
        results = list(make(body))
        open(before, "w").write(body.module(results))
        done = run("moe-opt", before, "--canonicalize", "-o", after)
        if done.returncode != 0:
            sys.exit(done.stderr)
        done = run("moe-run", after, f"--against={before}", "--symbolic")
        if done.returncode != 0:
            line = done.stdout.splitlines()[:1]
            sys.exit(f"{make.__name__}: {line}\n{done.stdout}{done.stderr}")
        print(f"{make.__name__}: {len(results)} expressions equal")
    refuted = 0
    for expected, other in lookalikes():
        open(before, "w").write(expected)
        open(after, "w").write(other)
        done = run("moe-run", after, f"--against={before}", "--symbolic")
        if done.returncode != 1 or not done.stdout.startswith("unequal"):
            sys.exit(f"expected unequal, got {done.stdout}{done.stderr} of\n"
                     f"{expected}{other}")
        refuted += 1
    print(f"{refuted} look-alikes told apart")


if __name__ == "__main__":
    main(sys.argv[1])
