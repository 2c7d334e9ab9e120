"""Runs a Python script on the CPU emulation of CUDA and NCCL.

usage: on_stand_ins.py STAND_INS FOLDER SCRIPT [ARGUMENT...]

PyTorch's libraries are linked with the whole of NCCL. Functions that the
emulation lacks are replaced by ones that end the process.
"""

import os
import pathlib
import subprocess
import sys
import sysconfig

stand_ins, folder = map(pathlib.Path, sys.argv[1:3])
packages = pathlib.Path(sysconfig.get_path("purelib"))
nccl = stand_ins / "libnccl.so.2"


def list_symbols(library, which):
    done = subprocess.run(["nm", "-D", which, library], capture_output=True,
                          text=True, check=True)
    names = (line.split()[-1].split("@")[0] for line in done.stdout.splitlines())
    return {name for name in names if name.startswith("nccl")}


wanted = set()
for library in packages.glob("torch/lib/*.so"):
    wanted |= list_symbols(library, "--undefined-only")
missing = wanted - list_symbols(nccl, "--defined-only")
(folder / "rest.c").write_text("#include <stdlib.h>\n" + "".join(
    f"void {name}(void) {{ abort(); }}\n" for name in sorted(missing)))
subprocess.run(["cc", "-shared", "-fPIC", folder / "rest.c", "-o",
                folder / "rest.so"], check=True)
os.environ["LD_PRELOAD"] = f"{folder / 'rest.so'} {nccl}"
os.environ["LD_LIBRARY_PATH"] = str(stand_ins)
os.execv(sys.executable, [sys.executable, *sys.argv[3:]])
