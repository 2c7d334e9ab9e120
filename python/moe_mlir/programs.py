"""Programs of the compiler as code for one kind of device."""

import ctypes
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Any, List, Optional, Sequence, Tuple

from ._library import Error, find_part, find_tool


@dataclasses.dataclass(frozen=True)
class Tensor:
    """An argument or result: its sizes, MLIR's name of its elements, its name if
    it has one, and the integers that an argument may hold if they are known."""

    shape: Tuple[int, ...]
    element: str
    name: str = ""
    range: Optional[Tuple[int, int]] = None

    def __str__(self) -> str:
        return f"{self.name} {self.element}{list(self.shape)}".lstrip()


def _run(tool: str, *arguments: str, text: str) -> bytes:
    done = subprocess.run([tool, "-", *arguments], input=text.encode(),
                          capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace")
        errors = re.findall(r"error: .*", said)
        raise Error("moe-translate: " + (errors[0] if errors
                                         else said.strip()[:500]))
    return done.stdout


def _types(header: str, what: str) -> List[Tensor]:
    """The types in the header's list of inputs or results."""
    found = re.search(rf"Bytes of each {what}:\n(.*?)\*/", header, re.S)
    return [Tensor(tuple(int(size) for size in shape.split("x")[:-1]), element,
                   name, (int(low), int(high)) if low else None)
            for shape, element, name, low, high in re.findall(
                r"\d+: tensor<((?:\d+x)*)(\w+)>(?: ([\w.]+))?"
                r"(?:.*, may hold (-?\d+) to (-?\d+))?", found[1] if found else "")]


def get_axes(text: str) -> List[str]:
    """The axes of a program's mesh; empty without one."""
    found = re.search(r"moe\.mesh @\S+ axes \[(.*?)\]", text)
    return re.findall(r'"(.*?)"', found[1]) if found else []


def get_mesh(text: str) -> List[Tuple[str, int]]:
    """The axes of a program's mesh with their sizes; empty without one."""
    found = re.search(r"moe\.mesh @\S+ axes \[.*?\] shape \[(.*?)\]", text)
    sizes = re.findall(r"\d+", found[1]) if found else []
    return list(zip(get_axes(text), map(int, sizes)))


class Program:
    """An object file of moe-translate, and the properties in its header."""

    def __init__(self, who: str, text: str, entry: Optional[str],
                 backend: str = "host"):
        tool = find_tool("moe-translate")
        options = [f"--target={backend}"]
        options += [f"--entry={entry}"] if entry else []
        self.header = _run(tool, "--emit=header", *options, "-o", "-",
                           text=text).decode()
        named = re.search(r"Program @(\w+),", self.header)
        ranks = re.search(r"_NUM_RANKS (\d+)", self.header)
        self.arguments = _types(self.header, "input")
        self.results = _types(self.header, "result")
        counts = [int(n) for n in
                  re.findall(r"_NUM_(?:INPUTS|RESULTS) (\d+)", self.header)]
        if not named or not ranks or counts != [len(self.arguments),
                                                len(self.results)]:
            raise Error(f"{who}: expected a program of tensors that NumPy has, "
                        f"got\n{self.header[:2000]}")
        self.ranks = int(ranks[1])
        self.name = "moe_" + named[1]
        self.object = _run(tool, "--emit=object", *options, "-o", "-",
                           text=text)


def get_cache() -> pathlib.Path:
    """The folder for libraries that are made where they are used."""
    path = pathlib.Path(os.environ.get("XDG_CACHE_HOME",
                                       pathlib.Path.home() / ".cache"))
    path = path / "moe_mlir"
    path.mkdir(parents=True, exist_ok=True)
    return path


def compile_library(who: str, made: pathlib.Path, arguments: Sequence[str],
                    compiler: Optional[str] = None) -> None:
    """Makes a shared library by a C++ compiler: all of it, or nothing."""
    compiler = compiler or os.environ.get("CXX") or next(
        (c for c in ("c++", "clang++", "g++") if shutil.which(c)), None)
    if not compiler:
        raise Error(f"{who}: expected a C++ compiler (c++, clang++, g++ or "
                    "$CXX), found none")
    with tempfile.TemporaryDirectory(dir=made.parent) as folder:
        new = pathlib.Path(folder) / "made.so"
        done = subprocess.run(
            [compiler, "-std=c++17", "-O2", "-fPIC", "-shared", *arguments,
             "-o", str(new)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Error(f"{who}: {compiler} failed:\n"
                        f"{done.stderr.strip()[:2000]}")
        os.replace(new, made)


def load_runtime(who: str, compiler: Optional[str] = None) -> ctypes.CDLL:
    """libmoert as a library that all programs of this process share, made of the
    archive that comes with the package."""
    archive = find_part("libmoert.a", "lib/libmoert.a")
    if not archive.exists():
        raise Error(f"{who}: expected libmoert.a at {archive}, found none")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:16]
    made = get_cache() / f"libmoert-{digest}.so"
    if not made.exists():
        compile_library(who, made, [
            "-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive",
            "-ldl", "-pthread"], compiler)
    return ctypes.CDLL(str(made), mode=ctypes.RTLD_GLOBAL)


def load_program(who: str, program: Program,
                 compiler: Optional[str] = None) -> ctypes.CDLL:
    """A program as a library, whose calls go to `load_runtime`'s."""
    digest = hashlib.sha256(program.object).hexdigest()[:16]
    made = get_cache() / f"{program.name}-{digest}.so"
    if not made.exists():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.o"
            path.write_bytes(program.object)
            compile_library(who, made, [str(path), "-Wl,-Bsymbolic"], compiler)
    return ctypes.CDLL(str(made))
