#!/usr/bin/env bash
# Fetches CUTLASS's headers, for the kernels of grouped products on sm_90a
# (runtime/lib/nccl/grouped.cu).
#
#   scripts/make-cutlass.sh [FOLDER]
#
# Extracts the headers (27 MB) and the license (BSD-3-Clause) of the package
# nvidia-cutlass 4.2.0 into FOLDER/4.2.0. FOLDER is ~/.cache/moe-mlir/cutlass,
# where CMake looks for them; for another folder, configure with
# -DMOERT_CUTLASS=FOLDER/4.2.0/include. Keeps existing headers.
set -euo pipefail

folder=${1:-$HOME/.cache/moe-mlir/cutlass}
python=${PYTHON:-python3}
version=4.2.0
target=$folder/$version

if [[ -f $target/include/cute/tensor.hpp ]]; then
  echo "make-cutlass.sh: $target is there"
  exit 0
fi
mkdir -p "$folder"
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
if ! "$python" -m pip download --quiet --no-deps --dest "$download" \
    "nvidia-cutlass==$version.0"; then
  echo "make-cutlass.sh: the package nvidia-cutlass $version.0 cannot be" \
       "downloaded" >&2
  exit 1
fi
rm -rf "$target"
"$python" - "$download" "$target" <<'END'
import glob
import os
import sys
import zipfile

download, target = sys.argv[1:]
prefix, count = "cutlass_library/source/include/", 0
with zipfile.ZipFile(glob.glob(os.path.join(download, "*.whl"))[0]) as wheel:
    for name in wheel.namelist():
        if name.startswith(prefix) and not name.endswith("/"):
            place = os.path.join(target, "include", name[len(prefix) :])
        elif name.endswith("/licenses/LICENSE.txt"):
            place = os.path.join(target, "LICENSE.txt")
        else:
            continue
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(wheel.read(name))
        count += 1
if not os.path.exists(os.path.join(target, "include/cute/tensor.hpp")):
    sys.exit(f"make-cutlass.sh: expected {prefix}cute/tensor.hpp in the package")
print(f"make-cutlass.sh: {count} files in {target}")
END
