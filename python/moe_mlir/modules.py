"""Modules of the compiler: imported, compiled, timed, run and proved."""

import ctypes
import json
import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

try:
    import numpy as np
except ImportError as error:
    raise ImportError("moe_mlir needs NumPy in this Python: pip install numpy "
                      "(Debian: apt install python3-numpy)") from error

from ._library import (Array, Context, Diagnostic, Error, ImportOptions, Input,
                       RunOptions, get_library, take_string)
from .plans import Plan

PathLike = Union[str, "os.PathLike[str]"]
Config = Union[PathLike, Mapping[str, Any]]
Arrays = Union[Mapping[int, np.ndarray], Sequence[Optional[np.ndarray]]]

# Types of MLIR and of NumPy, and of ml_dtypes where that is installed.
_TYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "i1": "bool",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "index": "int64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
    "ui64": "uint64",
}


def get_dtype(name: str) -> np.dtype:
    """NumPy's type for elements of a type of MLIR."""
    if name not in _TYPES:
        raise Error(f"expected elements that NumPy has, got {name}")
    try:
        return np.dtype(_TYPES[name])
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ImportError as error:
        raise Error(f"expected ml_dtypes for elements of type {name}: "
                    "pip install ml_dtypes") from error
    return np.dtype(getattr(ml_dtypes, _TYPES[name]))


def _get_type(dtype: np.dtype) -> str:
    for name, of_numpy in _TYPES.items():
        if of_numpy == dtype.name:
            return name
    raise Error(f"expected an array of floats, integers or bools, got "
                f"{dtype.name}")


class Module:
    """A program of all ranks. Made by `parse` and `import_config`."""

    def __init__(self, context: Context, handle: int):
        self._context = context
        self._handle = handle
        context.modules.add(handle)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        # A garbage collection may finalize the context first, with its modules.
        if handle and handle in self._context.modules:
            self._context.modules.discard(handle)
            try:
                get_library().moeModuleDestroy(handle)
            except (Error, TypeError):  # the interpreter is ending
                pass
        self._handle = None

    def clone(self) -> "Module":
        """A copy that may be compiled on its own."""
        return Module(self._context,
                      get_library().moeModuleClone(self._handle))

    def print(self, generic: bool = False, locations: bool = False) -> str:
        """The module as MLIR text."""
        return take_string(get_library().moeModulePrint(
            self._handle, generic * 1 + locations * 2))

    __str__ = print

    def compile(self, pipeline: str) -> List[Diagnostic]:
        """Runs a pass pipeline in MLIR's syntax on the module, for example
        `moe-compile{to=schedule platform=dgx-h100}`. Returns the diagnostics."""
        if get_library().moeModuleRunPipeline(self._handle, pipeline.encode()):
            self._context.fail()
        return self._context.take()

    def plan(self, platform: str, **options: Any) -> Plan:
        """Returns the best plan for the program on a platform, with reasons. Takes
        the options of moe-compile, for example `schedule="fsmoe"`."""
        text = " ".join(f"{key.replace('_', '-')}={value}"
                        for key, value in options.items())
        answer = get_library().moeModulePlan(self._handle, platform.encode(),
                                             text.encode())
        if not answer:
            self._context.fail()
        self._context.take()
        return Plan.from_json(take_string(answer))

    def simulate(self, platform: Optional[str] = None) -> Dict[str, Any]:
        """Simulates the program and returns the answer of `moe-sim --json`
        (docs/reference/moe-sim-answers.md). The default platform is the one that
        the program is compiled for."""
        answer = get_library().moeModuleSimulate(
            self._handle, platform.encode() if platform else None)
        if not answer:
            self._context.fail()
        return json.loads(take_string(answer))

    def run(self, inputs: Arrays = (), *, backend: str = "interp",
            seed: int = 0, entry: Optional[str] = None, ranks: int = 0,
            max_bytes: int = 0) -> List[np.ndarray]:
        """Runs the program of all ranks; each result has the ranks as its first
        dim. `inputs` are arguments by number, of the argument's shape (the same
        on every rank) or with the ranks as their first dim; others are drawn
        from `seed`. `backend` is the reference interpreter or `host`, compiled
        code on threads."""
        items = (sorted(inputs.items()) if isinstance(inputs, Mapping)
                 else enumerate(inputs))
        given, kept = [], []
        for number, value in items:
            if value is None:
                continue
            array = np.ascontiguousarray(value)
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            name = _get_type(array.dtype).encode()
            kept.append((array, shape, name))
            given.append(Input(number, Array(
                name, array.ndim, shape, array.ctypes.data)))
        options = RunOptions(
            ctypes.sizeof(RunOptions), backend.encode(),
            entry.encode() if entry else None, seed, ranks, max_bytes)
        library = get_library()
        results = library.moeModuleRun(
            self._handle, (Input * len(given))(*given), len(given),
            ctypes.byref(options))
        if not results:
            self._context.fail()
        try:
            return [_take(library, results, i)
                    for i in range(library.moeResultsGetCount(results))]
        finally:
            library.moeResultsDestroy(results)

    def prove(self, against: "Module", samples: int = 4, seed: int = 0) -> str:
        """Proves that another program of this context (a `clone`, compiled)
        gives the same results for all floats, and returns the proved statement.
        Raises an `Error` with the first difference."""
        report = ctypes.c_void_p()
        equal = get_library().moeModuleProve(
            self._handle, against._handle, samples, seed, ctypes.byref(report))
        if equal < 0:
            self._context.fail()
        said = take_string(report.value)
        if not equal:
            raise Error(said, self._context.take())
        return said


def _take(library: Any, results: int, index: int) -> np.ndarray:
    array = Array()
    library.moeResultsGet(results, index, ctypes.byref(array))
    shape = [array.shape[i] for i in range(array.rank)]
    dtype = get_dtype(array.type.decode())
    size = int(np.prod(shape)) * dtype.itemsize
    if size == 0:
        return np.zeros(shape, dtype)
    data = ctypes.string_at(array.data, size)
    return np.frombuffer(data, dtype).reshape(shape).copy()


def parse(text: Union[str, bytes], name: str = "module") -> Module:
    """Reads and verifies MLIR text, or bytecode as bytes. Messages use `name` as
    the file name."""
    if not isinstance(text, (str, bytes)):
        raise Error("expected MLIR text as str, or bytecode as bytes, got "
                    f"{type(text).__name__}")
    context = Context()
    data = text.encode() if isinstance(text, str) else text
    handle = get_library().moeModuleParse(context.handle, data, len(data),
                                          name.encode())
    if not handle:
        context.fail()
    return Module(context, handle)


def import_config(config: Config, *, ep: int, tp: int, micro_batch: int,
                  seq_len: int, config_map: Optional[Config] = None,
                  **options: Any) -> Module:
    """Creates the program of a model's MoE layers from its config.json, given as a
    file or as a dict. With `train=True` it is the program of a training step, and
    with `layer=True` the forward and backward pass of one layer as two functions.
    Takes the options of `moe-translate --import-hf-config` with underscores
    (docs/how-to/import-a-model.md): esp, dp, cp, pp, layers, sequence_parallel,
    fold_ep, train, dropless, gate, dtype, capacity_factor, receive_factor, and
    sizes that replace sizes of the config. `ignore_keys` lists, with commas, keys
    of the config that the import ignores although their names are about routing."""
    given = ImportOptions(ctypes.sizeof(ImportOptions))
    fields = dict(ImportOptions._fields_)
    options.update(ep=ep, tp=tp, micro_batch=micro_batch, seq_len=seq_len)
    if config_map is not None:
        options["config_map"] = _read(config_map)[0]
    for key, value in options.items():
        if key not in fields or key == "size":
            raise TypeError(f"import_config() got an unexpected option {key!r}")
        if fields[key] is ctypes.c_char_p:
            value = value if isinstance(value, bytes) else str(value).encode()
        setattr(given, key, value)
    text, name = _read(config)
    context = Context()
    handle = get_library().moeModuleImportConfig(
        context.handle, text, len(text), name.encode(), ctypes.byref(given))
    if not handle:
        context.fail()
    return Module(context, handle)


def _read(config: Config) -> Any:
    if isinstance(config, Mapping):
        return json.dumps(config).encode(), "config"
    try:
        return pathlib.Path(config).read_bytes(), str(config)
    except OSError as error:
        raise Error(f"{config}: expected a model's config.json, got: "
                    f"{error.strerror}") from error


def plan(module: Module, platform: str, **options: Any) -> Plan:
    """`module.plan(platform, ...)`."""
    return module.plan(platform, **options)


def simulate(module: Module, platform: Optional[str] = None) -> Dict[str, Any]:
    """`module.simulate(platform)`."""
    return module.simulate(platform)


def run(module: Module, inputs: Arrays = (), **options: Any) -> List[np.ndarray]:
    """`module.run(inputs, ...)`."""
    return module.run(inputs, **options)
