#!/usr/bin/env python3
"""Packs compiled programs and test programs for a machine with only a GPU and
Python, and prints the command to run there.

usage: pack.py BUILD OUT.tar.xz [--target=nccl|nccl-stand-ins] [--chips=sm_90]
               [--small-only]

Run it before you request a GPU. BUILD holds bin/moe-translate, moe-opt,
moe-run, moert-conformance and lib/libmoert.a; moert-bench-kernels is packed if
it is there. Small programs are packed with arguments and the interpreter's
results; large ones are only timed. Compilers are not packed, so the pack is a
few MB. quarter_hour.py runs it.
"""

import argparse
import math
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The machine accepts no longer command line.
MOST_CHARACTERS = 2000

TINY = ("--micro-batch=1 --layers=1 --seq-len=32 --hidden-size=64 "
        "--expert-ffn-size=40 --num-experts=8")
# name: config, sizes, phase, element type, options of moe-compile; none for a
# program as imported.
SMALL = {
    "forward": ("mixtral-8x7b", f"{TINY} --ep=2 --tp=1", "fwd", "f32", None),
    "training": ("mixtral-8x7b", f"{TINY} --ep=2 --tp=1", "train", "bf16",
                 "schedule=best"),
    "recomputed": ("mixtral-8x7b", f"{TINY} --ep=2 --tp=1", "train", "bf16",
                   "schedule=fsmoe expert-products=recompute"),
    "dropless": ("qwen3-30b-a3b", f"{TINY} --ep=2 --tp=1 --routing=dropless",
                 "train", "f32", None),
    "biased": ("gpt-oss-120b", f"{TINY} --ep=2 --tp=1", "train", "f32",
               "schedule=layers"),
    "tensor_parallel": ("mixtral-8x7b", f"{TINY} --ep=1 --tp=2", "train", "f32",
                        "schedule=fsmoe"),
}
WHOLE = "--layers=1 --ep=1 --tp=1 --capacity-factor=1.25"
LARGE = {
    f"{model.split('-')[0]}_{phase}": (model, f"{WHOLE} {sizes}", phase, "bf16", None)
    for model, sizes in [
        ("mixtral-8x7b", "--seq-len=4096 --micro-batch=2"),
        ("qwen3-30b-a3b", "--seq-len=4096 --micro-batch=1")]
    for phase in ["fwd", "train"]
}
TOLERANCE = {"f32": 1e-5, "bf16": 3.2e-2}
BYTES = {"f32": 4, "bf16": 2, "i32": 4}


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(f"pack.py: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Value:
    """An argument or result, from a line of the header that moe-translate writes."""

    def __init__(self, shape, element, rest):
        self.shape = [int(size) for size in shape.split("x")[:-1]]
        self.element, self.rest = element, rest.strip(" ,")
        if element not in BYTES:
            sys.exit(f"pack.py: expected elements of f32, bf16 or i32, got {element}")
        self.count = math.prod(self.shape)
        self.bytes = self.count * BYTES[element]

    def get_axes(self, axes):
        if self.rest.startswith("varies over"):
            return [axis.strip() for axis in self.rest[len("varies over"):].split(",")]
        return axes if "each rank" in self.rest else []


def read_header(text):
    values = {}
    for kind in ("input", "result"):
        part = re.search(rf"Bytes of each {kind}:\n(.*?)\*/", text, re.S)
        values[kind] = [Value(*found) for found in re.findall(
            r"\d+: tensor<((?:\d+x)*)(\w+)>(.*)", part[1] if part else "")]
    return int(re.search(r"_NUM_RANKS (\d+)", text)[1]), values


def write_array(path, element, shape, rows):
    """Writes a .npy file of raw elements; NumPy need not be installed."""
    kinds = {"f32": "<f4", "bf16": "<u2", "i32": "<i4"}
    head = (f"{{'descr': '{kinds[element]}', 'fortran_order': False, "
            f"'shape': {tuple(shape)!r}, }}")
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in rows:
            file.write(row)


def read_rows(path, ranks):
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    size = (len(data) - start) // ranks
    return [data[start + rank * size:start + (rank + 1) * size]
            for rank in range(ranks)]


def draw(value, axes, sizes, ranks, source):
    """The bytes of each rank; ranks that differ only along other axes have the
    same. Values are multiples of 1/128, which every type can represent."""
    own, known, rows = value.get_axes(axes), {}, []
    for rank in range(ranks):
        place, left = {}, rank
        for axis, size in reversed(list(zip(axes, sizes))):
            place[axis], left = left % size, left // size
        key = tuple(place[axis] for axis in axes if axis in own)
        if key not in known:
            numbers = [source.randrange(-64, 64) / 128 for _ in range(value.count)]
            data = struct.pack(f"<{value.count}f", *numbers)
            known[key] = data if value.element != "bf16" else b"".join(
                data[i + 2:i + 4] for i in range(0, len(data), 4))
        rows.append(known[key])
    return rows


def pack_program(tools, name, spec, folder, options, isSmall):
    config, sizes, phase, element, plan = spec
    plain = folder / "plain.mlir"
    run(tools / "moe-translate", "--import-hf-config",
        ROOT / f"examples/configs/{config}.json", *sizes.split(), f"--phase={phase}",
        f"--dtype={element}", f"--entry={name}", "-o", plain)
    program = plain
    if plan:
        program = folder / "planned.mlir"
        run(tools / "moe-opt", plain,
            f"--moe-compile=platform=dgx-h100 to=schedule {plan}", "-o", program)
    emit = [tools / "moe-translate", program, f"--target={options.target}"]
    ranks, values = read_header(run(*emit, "--emit=header"))
    chips = [f"--cubin-chips={options.chips}"] if options.target == "nccl" else []
    run(*emit, "--emit=object", *chips, "-o", folder / "program.o")
    run("c++", "-shared", folder / "program.o", "-o", folder / "program.so")
    lines = [f"{name} {ranks} {TOLERANCE[element]}"]
    for kind in ("input", "result"):
        lines += [f"{kind} {value.bytes} {value.element}" for value in values[kind]]
    (folder / "table").write_text("\n".join(lines) + "\n")
    if isSmall:
        mesh = re.search(r"moe\.mesh @\w+ axes \[(.*?)\] shape \[(.*?)\]",
                         plain.read_text())
        axes = re.findall(r'"(.*?)"', mesh[1])
        shape = [int(size) for size in mesh[2].split(",")]
        source, given = random.Random(5), []
        for i, value in enumerate(values["input"]):
            rows = draw(value, axes, shape, ranks, source)
            write_array(folder / f"in{i}.npy", value.element, [ranks, *value.shape], rows)
            given.append(f"--input={i}={folder}/in{i}.npy")
            for rank, row in enumerate(rows):
                (folder / f"in{i}.{rank}").write_bytes(row)
        run(tools / "moe-run", plain, *given, f"--output={folder}/out")
        for i, value in enumerate(values["result"]):
            rows = read_rows(folder / f"out/result{i}.npy", ranks)
            for rank, row in enumerate(rows):
                (folder / f"out{i}.{rank}").write_bytes(row)
        shutil.rmtree(folder / "out")
    for file in [*folder.glob("*.mlir"), *folder.glob("*.npy"), folder / "program.o"]:
        file.unlink()
    print(f"{name}: {ranks} ranks, {(folder / 'program.so').stat().st_size} bytes",
          flush=True)


def get_command(pack):
    """A command that finds NCCL and cuBLAS among Python's wheels, and runs the
    pack."""
    return (
        f"mkdir -p /tmp/moe && tar -xJf {pack.name} -C /tmp/moe || exit 9; "
        "W=$(python3 -c 'import glob,os,site;print(\":\".join(sorted({os.path.dirname(f)"
        " for s in site.getsitepackages() for f in glob.glob(s+\"/nvidia/*/lib/lib*.so*\")"
        "})))'); "
        'export LD_LIBRARY_PATH="$W:$LD_LIBRARY_PATH:/usr/local/cuda/lib64" '
        'PATH="$PATH:/usr/local/cuda/bin"; '
        'python3 -u /tmp/moe/quarter_hour.py /tmp/moe --seconds=480 '
        '--output="${OUT:-.}"')


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--target", default="nccl", choices=["nccl", "nccl-stand-ins"])
    parser.add_argument("--chips", default="sm_90")
    parser.add_argument("--small-only", action="store_true")
    options = parser.parse_args()
    build, output = options.build.resolve(), options.output.resolve()
    tools = build / "bin"
    for needed in (tools / "moe-translate", tools / "moe-opt", tools / "moe-run",
                   tools / "moert-conformance", build / "lib/libmoert.a"):
        if not needed.exists():
            parser.error(f"expected {needed}, found none: build it first")
    with tempfile.TemporaryDirectory() as tmp:
        tmp = pathlib.Path(tmp)
        for script in ("quarter_hour.py", "ranks.py", "rates.py"):
            shutil.copy(HERE / script, tmp)
        for tool in ("moert-conformance", "moert-bench-kernels"):
            if (tools / tool).exists():
                shutil.copy(tools / tool, tmp)
        # Programs find the runtime in the process that loads them.
        run("c++", "-std=c++20", "-O2", "-rdynamic", HERE / "runner.cpp",
            f"-I{ROOT}/runtime/include", "-Wl,--whole-archive",
            build / "lib/libmoert.a", "-Wl,--no-whole-archive", "-lpthread", "-ldl",
            "-o", tmp / "runner")
        for name, spec in (SMALL if options.small_only else SMALL | LARGE).items():
            folder = tmp / "programs" / name
            folder.mkdir(parents=True)
            pack_program(tools, name, spec, folder, options, name in SMALL)
        run("tar", "-cJf", output, "-C", tmp, *sorted(p.name for p in tmp.iterdir()))
    command = get_command(output)
    if len(command) >= MOST_CHARACTERS:
        sys.exit(f"pack.py: expected a command of fewer than {MOST_CHARACTERS} "
                 f"characters, got {len(command)}")
    print(f"{output}: {output.stat().st_size} bytes\n{command}")


if __name__ == "__main__":
    main()
