"""The C API (include/moe-c/MoE.h) through ctypes: nothing to compile, and no
part of Python that could clash with jaxlib's own MLIR."""

import ctypes
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64,
                    c_size_t, c_uint, c_uint64, c_void_p)
from dataclasses import dataclass
from typing import Any, List, Optional, Set

_PACKAGE = pathlib.Path(__file__).parent


def find_part(name: str, installed: str) -> pathlib.Path:
    """Returns the path of a part of this package: in the wheel, in the prefix of an
    installation of moe-mlir (PREFIX/lib/python3/dist-packages/moe_mlir), in the
    build of $MOE_OPT, or in the source tree of this build."""
    places = [_PACKAGE / "native" / name]
    if _PACKAGE.parent.name == "dist-packages":
        places.append(_PACKAGE.parents[3] / installed)
    if "MOE_OPT" in os.environ:
        places.append(pathlib.Path(os.environ["MOE_OPT"]).parent.parent
                      / installed)
    places.append(_PACKAGE.parents[1] / "runtime" / installed)
    return next((path for path in places if path.exists()), places[0])


def _find_platforms() -> None:
    """Lets the library and moe-opt find the platforms that came with them."""
    shipped = find_part("platforms", "share/moe-mlir/platforms")
    if shipped.is_dir():
        named = os.environ.get("MOE_PLATFORM_PATH")
        os.environ["MOE_PLATFORM_PATH"] = os.pathsep.join(
            [*([named] if named else []), str(shipped)])


_find_platforms()


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler; `file` is "" where it belongs nowhere."""

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class Error(RuntimeError):
    """An error of the compiler; `diagnostics` has the locations."""

    def __init__(self, message: str,
                 diagnostics: Optional[List[Diagnostic]] = None):
        super().__init__(message)
        self.diagnostics = diagnostics or []


class _Diagnostic(Structure):
    _fields_ = [("severity", c_int), ("message", c_char_p), ("file", c_char_p),
                ("line", c_uint), ("column", c_uint)]


HANDLER = CFUNCTYPE(None, POINTER(_Diagnostic), c_void_p)


class ImportOptions(Structure):
    """MoeImportOptions."""

    _fields_ = [
        ("size", c_size_t),
        *[(name, c_int64) for name in
          ("ep", "tp", "esp", "dp", "cp", "pp", "micro_batch", "seq_len",
           "layers")],
        *[(name, c_int) for name in
          ("sequence_parallel", "fold_ep", "train", "dropless")],
        *[(name, c_char_p) for name in
          ("dtype", "capacity_factor", "receive_factor")],
        *[(name, c_int64) for name in
          ("hidden_size", "expert_ffn_size", "shared_ffn_size", "num_experts",
           "top_k", "num_groups", "top_groups")],
        ("config_map", c_char_p),
        ("ignore_keys", c_char_p),
        ("layer", c_int),
        ("gate", c_char_p),
    ]


class Option(Structure):
    """MoeOption."""

    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class Array(Structure):
    """MoeArray."""

    _fields_ = [("type", c_char_p), ("rank", c_int64),
                ("shape", POINTER(c_int64)), ("data", c_void_p)]


class Input(Structure):
    """MoeInput."""

    _fields_ = [("argument", c_int64), ("array", Array)]


class RunOptions(Structure):
    """MoeRunOptions."""

    _fields_ = [("size", c_size_t), ("backend", c_char_p), ("entry", c_char_p),
                ("seed", c_uint64), ("ranks", c_int64),
                ("max_bytes", c_uint64)]


_FUNCTIONS = {
    "moeGetVersion": (c_char_p, []),
    "moeFreeString": (None, [c_void_p]),
    "moeContextCreate": (c_void_p, []),
    "moeContextDestroy": (None, [c_void_p]),
    "moeContextSetHandler": (None, [c_void_p, HANDLER, c_void_p]),
    "moeContextSetRemarks": (c_int, [c_void_p, c_char_p]),
    "moeModuleParse": (c_void_p, [c_void_p, c_char_p, c_size_t, c_char_p]),
    "moeModuleImportConfig": (
        c_void_p,
        [c_void_p, c_char_p, c_size_t, c_char_p, POINTER(ImportOptions)]),
    "moeModuleClone": (c_void_p, [c_void_p]),
    "moeModuleDestroy": (None, [c_void_p]),
    "moeModulePrint": (c_void_p, [c_void_p, c_int]),
    "moeModuleRunPipeline": (c_int, [c_void_p, c_char_p]),
    "moeModulePlan": (c_void_p, [c_void_p, c_char_p, c_char_p]),
    "moeModuleSimulate": (c_void_p, [c_void_p, c_char_p]),
    "moePlannerAsk": (c_void_p, [c_void_p, c_char_p, POINTER(Option), c_size_t]),
    "moePlannersList": (c_void_p, []),
    "moeModuleRun": (c_void_p, [c_void_p, POINTER(Input), c_size_t,
                                POINTER(RunOptions)]),
    "moeResultsGetCount": (c_size_t, [c_void_p]),
    "moeResultsGet": (c_int, [c_void_p, c_size_t, POINTER(Array)]),
    "moeResultsDestroy": (None, [c_void_p]),
    "moeModuleProve": (c_int, [c_void_p, c_void_p, c_uint, c_uint64,
                               POINTER(c_void_p)]),
}

_library: Any = None


def get_library() -> Any:
    """libmoe-c: of $MOE_C_LIBRARY, or the one installed with this package."""
    global _library
    if _library is not None:
        return _library
    path = os.environ.get("MOE_C_LIBRARY",
                          str(find_part("libmoe-c.so", "lib/libmoe-c.so")))
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise Error(
            f"expected libmoe-c at {path} and LLVM's libraries beside it "
            f"(Debian: apt install libmlir-22), got: {error}") from error
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    _library = library
    return library


def get_version() -> str:
    """The version of the compiler."""
    return get_library().moeGetVersion().decode()


def find_tool(name: str = "moe-opt") -> str:
    """Returns the path of a tool: $MOE_OPT and tools of its build, or the tools
    installed with this package."""
    given = os.environ.get("MOE_OPT")
    path = (pathlib.Path(given) if given and name == "moe-opt"
            else find_part(name, f"bin/{name}"))
    if not path.exists():
        raise Error(f"expected {name} at {path}, found none")
    return str(path)


_SEVERITIES = ["note", "warning", "error", "remark"]


class Context:
    """A context of the compiler, and its diagnostics since the last call."""

    def __init__(self) -> None:
        library = get_library()
        self.diagnostics: List[Diagnostic] = []
        # Handles of the modules that live in this context.
        self.modules: Set[int] = set()
        # Kept: C calls it for as long as the context lives.
        self._handler = HANDLER(self._on_diagnostic)
        self.handle = library.moeContextCreate()
        library.moeContextSetHandler(self.handle, self._handler, None)

    def _on_diagnostic(self, pointer: Any, data: Any) -> None:
        said = pointer.contents
        self.diagnostics.append(Diagnostic(
            _SEVERITIES[said.severity], said.message.decode(errors="replace"),
            said.file.decode(errors="replace"), said.line, said.column))

    def fail(self) -> None:
        """Raises the collected diagnostics."""
        said, self.diagnostics = self.diagnostics, []
        first = next((d for d in said if d.severity == "error"), None)
        raise Error(str(first) if first else "the compiler failed", said)

    def take(self) -> List[Diagnostic]:
        said, self.diagnostics = self.diagnostics, []
        return said

    def __del__(self) -> None:
        if getattr(self, "handle", None) and _library is not None:
            for module in self.modules:
                _library.moeModuleDestroy(module)
            self.modules.clear()
            _library.moeContextDestroy(self.handle)
            self.handle = None


def take_string(pointer: Optional[int]) -> str:
    """A string of the library, freed."""
    text = ctypes.string_at(pointer).decode()
    get_library().moeFreeString(pointer)
    return text
