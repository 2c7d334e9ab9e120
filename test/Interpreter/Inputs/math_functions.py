"""Compares the interpreter's math functions with libm's, called from here, with
upstream's folds, and with compiled code.

Usage: math_functions.py TMP
"""

import ctypes
import math
import re
import struct
import subprocess
import sys

LIBM = ctypes.CDLL("libm.so.6")
UNARY = {
    "absf": "fabs", "acos": "acos", "acosh": "acosh", "asin": "asin",
    "asinh": "asinh", "atan": "atan", "atanh": "atanh", "cbrt": "cbrt",
    "ceil": "ceil", "cos": "cos", "cosh": "cosh", "erf": "erf",
    "erfc": "erfc", "exp": "exp", "exp2": "exp2", "expm1": "expm1",
    "floor": "floor", "log": "log", "log10": "log10", "log1p": "log1p",
    "log2": "log2", "round": "round", "roundeven": "roundeven", "sin": "sin",
    "sinh": "sinh", "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
    "trunc": "trunc",
}
BINARY = {"atan2": "atan2", "copysign": "copysign", "powf": "pow"}
INF, NAN = float("inf"), float("nan")
# For 1e-10 and 2 ** -40, log(1 + x) and exp(x) - 1 would be 0 in f32.
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-3, 100.25, -7.0, 2.0 ** -20,
           1e-10, -1e-10, -2.0 ** -40, INF, -INF, NAN]
TYPES = ["f64", "f32", "f16", "bf16"]


def bits(value, type):
    """A literal that is bit for bit the number."""
    if type == "f64":
        return "0x%016X" % struct.unpack("<Q", struct.pack("<d", value))[0]
    if type == "f32":
        return "0x%08X" % struct.unpack("<I", struct.pack("<f", value))[0]
    if type == "f16":
        return "0x%04X" % struct.unpack("<H", struct.pack("<e", value))[0]
    return "0x%04X" % (struct.unpack("<I", struct.pack("<f", value))[0] >> 16)


def rounded(value, type):
    """An f32 number rounded to the type, to nearest even."""
    if type in ("f64", "f32") or math.isnan(value) or math.isinf(value):
        return value
    if type == "f16":
        try:
            return struct.unpack("<e", struct.pack("<e", value))[0]
        except OverflowError:
            return math.copysign(INF, value)
    word = struct.unpack("<I", struct.pack("<f", value))[0]
    word = word + 0x7FFF + (word >> 16 & 1) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", word))[0]


def call(name, type, *operands):
    number = ctypes.c_double if type == "f64" else ctypes.c_float
    function = getattr(LIBM, name + ("" if type == "f64" else "f"))
    function.restype, function.argtypes = number, [number] * len(operands)
    return rounded(function(*operands), type)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def show(value):
    return "nan" if math.isnan(value) else repr(value)


def program(type, names, numbers):
    """Every function of every number, as one result each."""
    n = len(numbers)
    tensor = f"tensor<{n}x{type}>"
    lines = [f"%x = arith.constant dense<[{', '.join(bits(v, type) for v in numbers)}]> : {tensor}",
             f"%y = arith.constant dense<[{', '.join(bits(v, type) for v in numbers[1:] + numbers[:1])}]> : {tensor}"]
    for name in names:
        operands = "%x, %y, %x" if name == "fma" else \
            "%x, %y" if name in BINARY else "%x"
        lines.append(f"%{name} = math.{name} {operands} : {tensor}")
    results = ", ".join(f"%{name}" for name in names)
    types = ", ".join(tensor for _ in names)
    return (f"func.func @main() -> ({types}) {{\n  " + "\n  ".join(lines)
            + f"\n  return {results} : {types}\n}}\n")


def results(path):
    parts = re.split(r"result \d+: ", run("moe-run", path, "--print-values"))
    for part in parts[1:]:
        values = part.split("\n", 2)[2]
        yield [float(v) for v in re.findall(r"-?(?:nan|inf|[0-9][-+.e0-9]*)",
                                            values)]


def test_floats(path, type):
    numbers = [rounded(v, type) if type != "f64" else v for v in NUMBERS]
    if type == "f32":
        numbers = [struct.unpack("<f", struct.pack("<f", v))[0]
                   for v in numbers]
    names = list(UNARY) + list(BINARY) + ["rsqrt"]
    with open(path, "w") as file:
        file.write(program(type, names, numbers))
    count = 0
    for name, got in zip(names, results(path)):
        assert len(got) == len(numbers), (name, got)
        for i, (a, value) in enumerate(zip(numbers, got)):
            b = numbers[(i + 1) % len(numbers)]
            if name in UNARY:
                expected = call(UNARY[name], type, a)
            elif name in BINARY:
                expected = call(BINARY[name], type, a, b)
            else:
                root = call("sqrt", "f64" if type == "f64" else "f32", a)
                inverse = (math.copysign(INF, root) if root == 0
                           else 1 / root)
                if type != "f64":
                    inverse = ctypes.c_float(inverse).value
                expected = rounded(inverse, type)
            if show(expected) != show(value):
                sys.exit(f"math.{name} {a} {b} : {type}: expected "
                         f"{show(expected)}, got {show(value)}")
            count += 1
    print(f"{type}: {count} numbers as libm has them")


def test_integers(path):
    def power(base, exponent):
        if exponent >= 0:
            return base ** exponent
        return base if base == -1 and exponent % 2 else \
            1 if base in (1, -1) else 0

    numbers = [0, 1, -1, 2, -2, 7, 100, -128, 127]
    exponents = [0, -3, -3, 3, 7, 2, -1, 1, 30]
    bit = [v & 255 for v in numbers]
    expected = {
        "absi": [abs(v) for v in numbers],
        "ctlz": [8 - v.bit_length() for v in bit],
        "cttz": [(v & -v).bit_length() - 1 if v else 8 for v in bit],
        "ctpop": [bin(v).count("1") for v in bit],
        "ipowi": [power(b, e) for b, e in zip(numbers, exponents)],
    }
    tensor = f"tensor<{len(numbers)}xi8>"
    lines = [f"%x = arith.constant dense<{numbers}> : {tensor}",
             f"%y = arith.constant dense<{exponents}> : {tensor}"]
    for name in expected:
        lines.append(f"%{name} = math.{name} "
                     + ("%x, %y" if name == "ipowi" else "%x")
                     + f" : {tensor}")
    with open(path, "w") as file:
        file.write("func.func @main() -> ("
                   + ", ".join(tensor for _ in expected) + ") {\n  "
                   + "\n  ".join(lines) + "\n  return "
                   + ", ".join("%" + name for name in expected) + " : "
                   + ", ".join(tensor for _ in expected) + "\n}\n")
    count = 0
    for (name, values), got in zip(expected.items(), results(path)):
        wrapped = [(v + 128) % 256 - 128 for v in values]
        if wrapped != [int(v) for v in got]:
            sys.exit(f"math.{name}: expected {wrapped}, got {got}")
        count += len(got)
    print(f"integers: {count} numbers")


def test_folded(path):
    """Canonicalization computes constants of f32 and f64 itself. It folds atan2
    of two zeros to NaN, unlike libm, so no two zeros are paired."""
    for type in ("f64", "f32"):
        numbers = [NUMBERS[0], NUMBERS[2], NUMBERS[1], *NUMBERS[3:]]
        with open(path, "w") as file:
            file.write(program(type, list(UNARY) + list(BINARY), numbers))
        folded = path + ".folded"
        run("moe-opt", path, "--canonicalize", "-o", folded)
        for options in ([], ["--symbolic"]):
            run("moe-run", folded, f"--against={path}", *options)
    print("folded: equal")


def test_host(path):
    """Passes the numbers as arguments, so that nothing is folded."""
    for type in TYPES:
        text = program(type, list(UNARY) + list(BINARY), NUMBERS)
        tensor = f"tensor<{len(NUMBERS)}x{type}>"
        text = re.sub(r"@main\(\)", f"@main(%x: {tensor}, %y: {tensor})", text)
        text = re.sub(r"  %[xy] = arith.constant .*\n", "", text)
        with open(path, "w") as file:
            file.write(text)
        shown = [run("moe-run", path, f"--backend={b}", "--print-values")
                 .split("\n", 1)[1].split("\n") for b in ("interp", "host")]
        for line, (expected, got) in enumerate(zip(*shown)):
            if expected != got:
                sys.exit(f"{type}, line {line}: interp {expected}\n"
                         f"host {got}")
    print("host: equal")


def main(tmp):
    path = tmp + ".mlir"
    for type in TYPES:
        test_floats(path, type)
    test_integers(path)
    test_folded(path)
    test_host(path)


if __name__ == "__main__":
    main(sys.argv[1])
