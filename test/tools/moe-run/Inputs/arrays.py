"""moe-run with --input and --output.

Usage: arrays.py CASE TMP BACKEND COMMAND...
"""

import os
import subprocess
import sys

import numpy as np

CASE, TMP, BACKEND, *COMMAND = sys.argv[1:]


def run(*options, code=0):
    done = subprocess.run([*COMMAND, *options, f"--backend={BACKEND}"],
                          capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"{options}: expected exit code {code}, got "
                 f"{done.returncode}\n{done.stdout}{done.stderr}")
    return done


def write(name, text):
    with open(f"{TMP}.{name}", "w") as file:
        file.write(text)
    return f"{TMP}.{name}"


def save(name, array):
    np.save(f"{TMP}.{name}.npy", array)
    return f"{TMP}.{name}.npy"


def test_types():
    """Bits are unchanged, except that any NaN is accepted."""
    floats = np.array([0.5, -0.0, np.inf, -np.inf, np.nan, 1.0])
    words = np.array([0x3F80, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0x4049], "<u2")
    cases = {
        "f64": floats, "f32": floats.astype("<f4"), "f16": floats.astype("<f2"),
        "bf16": words.view("V2"),
        "f8E4M3FN": np.array([0, 1, 0x80, 0x7F, 0x38, 0xB8], "u1").view("V1"),
        "i1": np.array([True, False] * 3),
        "i8": np.array([0, -1, 127, -128, 5, 6], "i1"),
        "i64": np.array([0, -1, 2**63 - 1, -2**63, 5, 6]),
        "index": np.array([0, 1, 2, 3, 4, 5]),
    }
    if BACKEND == "interp":
        cases["ui16"] = np.array([0, 1, 65535, 3, 4, 5], "<u2")
    done = []
    for type in ["f64", "f32", "f16", "bf16", "f8E4M3FN", "i1", "i8", "ui16",
                 "i64", "index"]:
        if type not in cases:
            continue
        array = cases[type].reshape(2, 3)
        program = write("mlir", f"func.func @main(%x: tensor<2x3x{type}>) -> "
                        f"tensor<2x3x{type}> {{\n"
                        f"  return %x : tensor<2x3x{type}>\n}}\n")
        run(program, f"--input=0={save('in', array)}", f"--output={TMP}.out")
        got = np.load(f"{TMP}.out/result0.npy")
        if got.shape != (1, 2, 3):
            sys.exit(f"{type}: got shape {got.shape}")
        # ml_dtypes writes the byte order into the names of its types.
        with open(f"{TMP}.out/result0.npy", "rb") as file:
            header = file.read(128)
        if type == "bf16" and b"'<V2'" not in header:
            sys.exit(f"bf16: {header}")
        if got.dtype.kind != "V":
            if got.dtype != array.dtype:
                sys.exit(f"{type}: got {got.dtype}")
            if not np.array_equal(np.signbit(got[0]) if got.dtype.kind == "f"
                                  else got[0],
                                  np.signbit(array) if got.dtype.kind == "f"
                                  else array) and type != "f16":
                sys.exit(f"{type}: {got} of {array}")
        if got.tobytes() != array.tobytes():
            sys.exit(f"{type}: got {got.tobytes()} of {array.tobytes()}")
        done.append(type)
    print(f"{BACKEND}: {' '.join(done)}")


RANKS = """moe.mesh @mesh axes ["ep", "tp"] shape [2, 2]
func.func @main(%tokens: tensor<2x3xf32> {moe.varying = ["ep"]},
                %bias: tensor<3xf32> {moe.varying = []}, %seed: i32)
    -> (tensor<4x3xf32>, tensor<3xf32>, i32) {
  %r = moe.all_gather %tokens on <@mesh, ["ep"]> dim 0
     : tensor<2x3xf32> -> tensor<4x3xf32>
  return %r, %bias, %seed : tensor<4x3xf32>, tensor<3xf32>, i32
}
"""


def test_ranks():
    program = write("mlir", RANKS)
    of_ep = np.arange(12, dtype="<f4").reshape(2, 2, 3)
    tokens = of_ep[[0, 0, 1, 1]]
    bias = np.array([1, 2, 3], ">f4")
    seeds = np.array([5, 6, 7, 8], "<i4")
    for rank, seed in enumerate(seeds):
        save(f"seed{rank}", seed)
    by_columns = np.asfortranarray(tokens)
    save("tokens", by_columns)
    save("bias", bias)
    for names in (["0", "1", "2"], ["%tokens", "bias", "%seed"]):
        run(program, f"--input={names[0]}={TMP}.tokens.npy",
            f"--input={names[1]}={TMP}.bias.npy",
            f"--input={names[2]}={TMP}.seed{{rank}}.npy",
            f"--output={TMP}.made/deep")
        results = [np.load(f"{TMP}.made/deep/result{i}.npy") for i in range(3)]
        expected = [np.stack([of_ep.reshape(4, 3)] * 4),
                    np.stack([bias.astype("<f4")] * 4), seeds]
        for i in range(3):
            if (results[i].dtype != expected[i].dtype
                    or not np.array_equal(results[i], expected[i])):
                sys.exit(f"result {i}: {results[i]}, expected {expected[i]}")
        for i in range(3):
            os.remove(f"{TMP}.made/deep/result{i}.npy")
    print("one file, ranks as first dim, a file for each rank, by name")


def test_compared():
    one = write("one.mlir", "func.func @main(%x: f32) -> f32 {\n"
                "  return %x : f32\n}\n")
    zero = write("zero.mlir", "func.func @main(%x: f32) -> f32 {\n"
                 "  %z = arith.constant 0.0 : f32\n"
                 "  %y = arith.addf %x, %z : f32\n  return %y : f32\n}\n")
    for value, code in [(1.0, 0), (0.0, 0), (np.nan, 0), (-0.0, 1)]:
        path = save("x", np.float32(value))
        run(zero, f"--against={one}", f"--input=0={path}", code=code)
    print("equal and unequal")


def test_errors():
    program = write("mlir", RANKS)
    good = save("good", np.zeros((4, 2, 3), "<f4"))
    varied = save("varied", np.arange(24, dtype="<f4").reshape(4, 2, 3))
    short = f"{TMP}.short.npy"
    with open(good, "rb") as file:
        data = file.read()
    with open(short, "wb") as file:
        file.write(data[:-1])
    odd = write("odd.mlir", "func.func @main(%x: i7) -> i7 {\n"
                "  return %x : i7\n}\n")
    ragged = write("ragged.mlir", """moe.mesh @mesh axes ["r"] shape [2]
func.func @main() -> tensor<?xf32> {
  %r = moe.group_rank on <@mesh, ["r"]> : index
  %z = arith.constant 0.0 : f32
  %t = tensor.splat %z[%r] : tensor<?xf32>
  return %t : tensor<?xf32>
}
""")
    inout = [f"--input=0={good}"]
    cases = [
        ([program, "--input=tokens"], "--input: expected ARGUMENT=FILE, an "
         "argument's number or name and a file, got 'tokens'"),
        ([program, f"--input=3={good}"], "--input=3: expected the number of "
         "an argument of @main, which has 3, got 3"),
        ([program, f"--input=weights={good}"], "--input=weights: expected the "
         "number or the name of an argument of @main, %tokens, %bias, %seed; "
         "got weights"),
        ([program, *inout, f"--input=tokens={good}"], "--input=tokens: "
         "expected each argument once, got argument 0 twice"),
        ([program, f"--input=0={TMP}.none.npy"], f"--input=0: {TMP}.none.npy: "
         "cannot be read: No such file or directory"),
        ([program, f"--input=0={program}"], f"{program}: expected a file of "
         "numpy.save, which begins with \\x93NUMPY"),
        ([program, f"--input=0={short}"], f"{short}: expected 96 bytes of "
         "data, 24 elements of dtype <f4, got 95"),
        ([program, f"--input=1={good}"], f"{good}: expected shape (3,), the "
         "same on every rank, or (4, 3) with the ranks as its first dim, got "
         "(4, 2, 3)"),
        ([program, f"--input=2={good}"], f"{good}: expected dtype <i4 or <u4 "
         "for elements of type i32, got <f4"),
        ([program, f"--input=0={varied}"], f"{varied}: expected the same data "
         "on ranks 0 and 1, which do not differ in the axes of moe.varying"),
        ([odd, f"--input=0={good}"], "elements of type i7 have no dtype"),
        ([odd, f"--output={TMP}.out"], "elements of type i7 have no dtype"),
        ([ragged, f"--output={TMP}.out"], "expected one shape on all ranks, "
         "got (0,) on rank 0 and (1,) on rank 1"),
        ([program, f"--output={program}"], f"--output: {program}: expected a "
         "folder that files can be written to, got: Not a directory"),
        ([program, "--symbolic", *inout], "--input is not supported with --symbolic"),
    ]
    for options, words in cases:
        done = run(*options, code=2)
        if words not in done.stderr or done.stdout:
            sys.exit(f"{options}: expected {words}\ngot {done.stdout}"
                     f"{done.stderr}")
    print(f"{len(cases)} errors in words")


globals()["test_" + CASE]()
