"""Compiles every op of math for GPUs and compares with the page's table.

usage: math_table.py PAGE TMP
"""

import pathlib
import re
import subprocess
import sys

# Functions with an instruction, and its operands; the page describes these.
PLAIN = {
    "absf": "f", "absi": "i", "ceil": "f", "copysign": "ff", "ctlz": "i",
    "cttz": "i", "ctpop": "i", "floor": "f", "fma": "fff", "round": "f",
    "roundeven": "f", "rsqrt": "f", "sqrt": "f", "trunc": "f",
    "isfinite": "f?", "isinf": "f?", "isnan": "f?", "isnormal": "f?",
}
OPERANDS = {"atan2": "ff", "powf": "ff", "fpowi": "fi", "ipowi": "ii",
            "clampf": "fff", "sincos": "f2"}


def read_table(page):
    """Functions that compile for f32 and f64, for f32 only, and that do not."""
    rows = [line.split("|")[1:3] for line in page.splitlines()
            if line.startswith("|") and "`math." in line.split("|")[1]]
    both, narrow, refused = set(), set(), set()
    for names, words in rows:
        listed = {name.removeprefix("math.")
                  for name in re.findall(r"`([\w.]+)`", names)
                  if not name.startswith(("arith.", "cf."))}
        if words.strip().startswith("refused"):
            refused |= listed
        elif "refused for f64" in words:
            narrow |= listed
        else:
            both |= listed
    return both, narrow, refused


def write(op, float_type):
    operands = PLAIN.get(op) or OPERANDS.get(op, "f")
    types = [{"f": float_type, "i": "i32"}[o] for o in operands if o in "fi"]
    names = [f"%e{i}" for i in range(len(types))]
    result = "i1" if operands.endswith("?") else types[0]
    if op == "clampf":
        text = f"%r = math.clampf %e0 to [%e1, %e2] : {float_type}"
    elif op == "sincos":
        text = f"%r, %s = math.sincos %e0 : {float_type}"
    elif op == "fpowi":
        text = f"%r = math.fpowi %e0, %e1 : {float_type}, i32"
    else:
        text = f"%r = math.{op} {', '.join(names)} : {types[0]}"
    arguments = [f"%a{i}: memref<8x{t}>" for i, t in enumerate(types)]
    lines = [f"    {n} = memref.load %a{i}[%d] : memref<8x{t}>"
             for i, (n, t) in enumerate(zip(names, types))]
    body = "\n".join(lines)
    inputs = ", ".join(f"%a{i}" for i in range(len(types)))
    kinds = ", ".join(f"memref<8x{t}>" for t in types)
    return f"""func.func private @body({', '.join(arguments)}, %b: memref<8x{result}>) {{
  linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}} outs(%b : memref<8x{result}>) {{
  ^bb0(%o: {result}):
    %d = linalg.index 0 : index
{body}
    {text}
    linalg.yield %r : {result}
  }}
  return
}}
func.func @main(%ctx: !moert.context, {', '.join(arguments)}, %y: memref<8x{result}>) attributes {{moert.inputs = {len(types)} : i64}} {{
  %s = moert.stream %ctx "inter" inter priority 0
  moert.launch %s "body" @body ins({inputs} : {kinds}) outs(%y : memref<8x{result}>)
  return
}}
"""


def compiles(programs, file):
    """Returns whether all programs compile, and the errors."""
    file.write_text("\n// -----\n".join(programs))
    done = subprocess.run(
        ["moe-opt", file, "-split-input-file",
         "--convert-moert-to-llvm=target=nccl", "-o", "/dev/null"],
        capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def main(page, tmp):
    both, narrow, refused = read_table(pathlib.Path(page).read_text())
    tmp = pathlib.Path(tmp)
    tmp.mkdir(exist_ok=True)
    include = subprocess.run(["llvm-config-22", "--includedir"],
                             capture_output=True, text=True).stdout.strip()
    ops = pathlib.Path(include) / "mlir/Dialect/Math/IR/MathOps.td"
    known = set(re.findall(r'def Math_\w+\s*:\s*Math_\w+\s*<\s*"(\w+)"',
                           ops.read_text()))
    said = both | narrow | refused | set(PLAIN)
    if known != said:
        sys.exit(f"expected all ops of math, missing {sorted(known - said)}, "
                 f"unknown {sorted(said - known)}")
    good = [write(op, t) for op in sorted(both | set(PLAIN))
            for t in ("f32", "f64")]
    good += [write(op, t) for op in sorted(narrow) for t in ("f32", "f16")]
    done, words = compiles(good, tmp / "good.mlir")
    if not done:
        sys.exit(words)
    for op in sorted(refused | narrow):
        done, words = compiles([write(op, "f64")], tmp / f"{op}.mlir")
        if done or "cannot run on a device" not in words:
            sys.exit(f"expected math.{op} of f64 to be refused, got {words}")
    for op in sorted(refused):
        done, words = compiles([write(op, "f32")], tmp / f"{op}.mlir")
        if done or "cannot run on a device" not in words:
            sys.exit(f"expected math.{op} to be refused, got {words}")
    print(f"{len(both | narrow | set(PLAIN))} functions compile, "
          f"{len(refused)} are refused")


main(*sys.argv[1:])
