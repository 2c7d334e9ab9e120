"""Makes the wheel of moe_mlir from a build that is there.

The build backend of pyproject.toml, for `pip install --no-build-isolation .`:
it packs python/moe_mlir with libmoe-c.so, libmoert.a and the tools of the build in
$MOE_BUILD, or build/release, and the platforms that ship. They need LLVM's shared
libraries where the build had them (Debian: libmlir-22). scripts/make-wheel.sh adds these
libraries to the wheel.
"""

import base64
import hashlib
import os
import pathlib
import platform
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "moe_mlir"
# Files of a build that the wheel contains.
PARTS = ("lib/libmoe-c.so", "lib/libmoert.a", "bin/moe-opt", "bin/moe-translate")
# Tools that are packed if the build has them.
MORE_TOOLS = ("bin/moe-plan", "bin/moe-profile", "bin/moe-run", "bin/moe-sim")


def get_version():
    return (ROOT / "VERSION").read_text().split()[0]


def get_requires_for_build_wheel(config_settings=None):
    return []


def find_build():
    build = pathlib.Path(os.environ.get("MOE_BUILD", ROOT / "build/release"))
    for part in PARTS:
        if not (build / part).exists():
            raise SystemExit(
                f"moe_mlir: expected {build / part}, found none: build first "
                "(cmake --build build/release --target MoEC moe-opt "
                "moe-translate moert_static), or name a build in MOE_BUILD")
    return build


def get_metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {get_version()}\n"
            "Summary: Compiles the communication of Mixture-of-Experts "
            "training\nLicense: Apache-2.0 WITH LLVM-exception\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n"
            "Requires-External: libmlir-22\n")


def get_tag():
    return f"py3-none-linux_{platform.machine()}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = find_build()
    info = f"{NAME}-{get_version()}.dist-info"
    files = {}
    for path in sorted((ROOT / "python" / NAME).rglob("*")):
        if path.suffix in (".py", ".typed", ".cc", ".h"):
            name = path.relative_to(ROOT / "python").as_posix()
            files[name] = (path.read_bytes(), 0o644)
    more = [part for part in MORE_TOOLS if (build / part).exists()]
    for part in [*PARTS, *more]:
        files[f"{NAME}/native/{pathlib.Path(part).name}"] = (
            (build / part).read_bytes(), 0o755)
    files[f"{NAME}/native/moert.h"] = (
        (ROOT / "runtime/include/moert.h").read_bytes(), 0o644)
    for path in sorted((ROOT / "platforms").rglob("*.json")):
        name = path.relative_to(ROOT / "platforms").as_posix()
        files[f"{NAME}/native/platforms/{name}"] = (path.read_bytes(), 0o644)
    files[f"{info}/METADATA"] = (get_metadata().encode(), 0o644)
    files[f"{info}/WHEEL"] = (
        ("Wheel-Version: 1.0\nGenerator: moe_wheel\nRoot-Is-Purelib: false\n"
         f"Tag: {get_tag()}\n").encode(), 0o644)
    # torch.compile(backend="moe_mlir") finds the backend here.
    tools = [pathlib.Path(part).name for part in [*PARTS, *more]
             if part.startswith("bin/")]
    files[f"{info}/entry_points.txt"] = (
        ("[torch_dynamo_backends]\n"
         "moe_mlir = moe_mlir.torch.backend:compile_backend\n"
         "\n[console_scripts]\n"
         + "".join(f"{tool} = moe_mlir.tools:main\n" for tool in tools)
         ).encode(), 0o644)
    files[f"{info}/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    record = ""
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record += f"{name},sha256={digest.rstrip(b'=').decode()},{len(data)}\n"
    record += f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = (record.encode(), 0o644)

    wheel = f"{NAME}-{get_version()}-{get_tag()}.whl"
    path = pathlib.Path(wheel_directory) / wheel
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED,
                         compresslevel=1) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=1)
    return wheel
