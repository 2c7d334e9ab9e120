# Configuration of the lit tests. Tools are found through PATH: those of this
# build first, then LLVM's (FileCheck, not, split-file).
import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "moe-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.moe_obj_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.moe_obj_root, "bin"),
        config.llvm_tools_dir,
        config.environment.get("PATH", ""),
    ]
)
# Sanitizers report through the exit code. Leaks are ignored because upstream's
# one-time allocations are not ours to free. LLVM's allocator only poisons free
# memory if it is compiled with a sanitizer, which the stock libraries are not,
# so their code reuses memory that our code has poisoned.
config.environment["ASAN_OPTIONS"] = "detect_leaks=0:allow_user_poisoning=0"

# These variables make XLA, OpenBLAS, PyTorch and the C library use the
# instructions of an older processor; CONTRIBUTING.md shows how.
for name in (
    "XLA_FLAGS",
    "OPENBLAS_CORETYPE",
    "ATEN_CPU_CAPABILITY",
    "GLIBC_TUNABLES",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%moe_src", config.moe_src_root))
config.substitutions.append(("%moe_obj", config.moe_obj_root))
config.substitutions.append(("%python", config.python))
# References in NumPy, for the Python that CMake found, or Debian's own, for
# which scripts/install-deps.sh installs it.
numpy = config.python
if subprocess.run([numpy, "-c", "import numpy"], capture_output=True).returncode:
    numpy = "/usr/bin/python3"
config.substitutions.append(("%numpy", numpy))
config.substitutions.append(("%llvm_tools", config.llvm_tools_dir))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%cc", config.cc))
# For programs that are built with a sanitizer in every build of the tree: their
# own settings, so that libraries of the tree find their sanitizers' functions.
config.substitutions.append(("%sanitizers", config.sanitize or "address"))
# Tests that compile device kernels take a minute for each architecture, and those
# that join and leave jobs as long for each few hundred.
full = os.environ.get("MOE_TEST_FULL") == "1"
if full:
    config.available_features.add("full")
config.substitutions.append(
    ("%{ptxas_architectures}", "sm_75,sm_80,sm_90,sm_100" if full else "sm_90")
)
config.substitutions.append(("%{rounds}", "1000" if full else "200"))
# Whether test/docs/adding-a-kernel.test builds the tree with its kernel.
config.substitutions.append(
    ("%{kernel_patch_build}", os.environ.get("MOE_TEST_KERNEL_PATCH", "0"))
)

# The traffic of mFabric's authors, if the user has it next to the tree; we may
# not distribute it.
mixnet = os.path.join(
    config.moe_src_root, "..", "shared", "data", "mixnet-ep8-tokens.json"
)
if os.path.exists(mixnet):
    config.available_features.add("mixnet")
config.substitutions.append(
    (
        "%mixnet_counts",
        f"{config.python} -c 'import json, sys; json.dump({{\"rank_counts\": "
        f"json.load(open(sys.argv[1]))[\"matrix\"]}}, sys.stdout)' {mixnet}",
    )
)

# Joint counts of OLMoE's layers, the same way.
olmoe = os.path.join(
    config.moe_src_root, "..", "shared", "data", "olmoe_crosslayer_64x64.json"
)
if os.path.exists(olmoe):
    config.available_features.add("olmoe")
config.substitutions.append(("%olmoe", olmoe))

# Environments with JAX, which scripts/make-jax.sh makes.
jax = os.environ.get("MOE_JAX", os.path.expanduser("~/.cache/moe-mlir/jax"))
if glob.glob(os.path.join(jax, "*", "bin", "python")):
    config.available_features.add("jax")
else:
    lit_config.note(f"tests that run JAX are skipped: no {jax}/*/bin/python")
config.substitutions.append(("%jax", jax))

# An environment with mkdocs, which scripts/make-docs.sh makes.
docs = os.environ.get("MOE_DOCS", os.path.expanduser("~/.cache/moe-mlir/docs"))
if os.path.exists(os.path.join(docs, "bin", "mkdocs")):
    config.available_features.add("mkdocs")
else:
    lit_config.note(f"the test that builds the site is skipped: no {docs}/bin/mkdocs")
config.substitutions.append(("%mkdocs", os.path.join(docs, "bin", "mkdocs")))

# A Python with PyTorch, or the environment that scripts/make-torch.sh makes.
made = sorted(glob.glob(os.path.expanduser("~/.cache/moe-mlir/torch/*/bin/python")))
torch = os.environ.get("MOE_TORCH", made[-1] if made else config.python)
find = (
    "import importlib.metadata as m; "
    "print(*m.version('torch').split('+')[0].split('.')[:2])"
)
found = subprocess.run([torch, "-c", find], capture_output=True, text=True)
if found.returncode == 0:
    config.available_features.add("torch")
    if tuple(map(int, found.stdout.split())) >= (2, 11):
        config.available_features.add("torch-compile")
        for package in ("transformers", "torchtitan"):
            find = f"import importlib.metadata as m; m.version('{package}')"
            if subprocess.run([torch, "-c", find], capture_output=True).returncode == 0:
                config.available_features.add(package)
            else:
                lit_config.note(f"tests of {package} are skipped: {torch} has none")
    else:
        lit_config.note(
            f"tests that compile PyTorch's graphs are skipped: {torch} has "
            f"{'.'.join(found.stdout.split())}, expected 2.11 or later"
        )
else:
    lit_config.note(f"tests that run PyTorch are skipped: {torch} has none")
config.substitutions.append(("%torch", torch))

# Builds with other compilers and sanitizers (cmake/MoECheckBuilds.cmake).
config.check_builds = os.path.join(config.moe_obj_root, "builds")
config.substitutions.append(("%check_builds", config.check_builds))
for build in ("thread", "gcc"):
    if os.path.exists(os.path.join(config.check_builds, build)):
        config.available_features.add(f"check-build-{build}")

# Valgrind cannot run a program that is built with a sanitizer.
if shutil.which("valgrind") and not config.sanitize:
    config.available_features.add("callgrind")
elif not config.sanitize:
    lit_config.note("tests trace no calls: expected valgrind, found none")

if os.path.exists(os.path.join(config.moe_obj_root, "bin", "moe-lsp-server")):
    config.available_features.add("lsp")
if config.sanitize:
    config.available_features.add("sanitizer")
if config.plugin == "ON" and not config.sanitize:
    config.available_features.add("plugin")
if config.circuits == "ON":
    config.available_features.add("circuits")
if config.doc_check == "ON":
    config.available_features.add("doc-check")
if os.geteuid() == 0:
    config.available_features.add("root")
