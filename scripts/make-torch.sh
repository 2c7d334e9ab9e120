#!/usr/bin/env bash
# Makes a virtual environment with PyTorch, for the tests that compile its graphs.
#
#   scripts/make-torch.sh [FOLDER]
#
# PyTorch 2.15.0, in FOLDER/2.15; 5 GB on disk and some three minutes, as its
# packages bring the libraries of CUDA that they are linked against, though the
# tests run on CPUs. FOLDER is ~/.cache/moe-mlir/torch, where the tests look for
# it; for another one name FOLDER/2.15/bin/python in MOE_TORCH. VERSION=2.11.0 in
# the environment makes one of another version. What is there already stays. The test
# of Hugging Face's blocks also needs `FOLDER/2.15/bin/pip install transformers`.
set -euo pipefail

folder=${1:-$HOME/.cache/moe-mlir/torch}
version=${VERSION:-2.15.0}
python=${PYTHON:-python3}
target=$folder/${version%.*}

if [[ -x $target/bin/python ]] && "$target/bin/python" -c 'import torch' \
    2>/dev/null; then
  echo "make-torch.sh: $target is there"
  exit 0
fi
rm -rf "$target"
mkdir -p "$folder"
if ! "$python" -m venv "$target"; then
  echo "make-torch.sh: expected Python 3.10 or later with venv, got" \
       "$("$python" --version 2>&1)" >&2
  exit 1
fi
if ! "$target/bin/python" -m pip install --quiet "torch==$version" numpy; then
  echo "make-torch.sh: PyTorch $version cannot be installed for" \
       "$("$python" --version 2>&1)" >&2
  rm -rf "$target"
  exit 1
fi
"$target/bin/python" -c 'import torch; print("PyTorch", torch.__version__)'
