#!/usr/bin/env bash
# Creates a virtual environment with PyTorch, for the tests that compile its
# graphs.
#
#   scripts/make-torch.sh [FOLDER]
#
# Installs PyTorch 2.15.0 into FOLDER/2.15, which takes 5 GB on disk and about
# three minutes, because its packages include the CUDA libraries that they are
# linked with, although the tests run on CPUs. FOLDER is
# ~/.cache/moe-mlir/torch, where the tests look for it; for another folder, set
# MOE_TORCH to FOLDER/2.15/bin/python. VERSION=2.11.0 in the environment selects
# another version. Keeps an existing environment. 2.15 also gets transformers
# (170 MB) for the test of Hugging Face's blocks, and torchtitan 0.3.0 (500 MB with
# the packages that it needs) for the test of its trainers.
set -euo pipefail

folder=${1:-$HOME/.cache/moe-mlir/torch}
version=${VERSION:-2.15.0}
python=${PYTHON:-python3}
target=$folder/${version%.*}

install_others() {
  [[ $version == 2.15.0 ]] || return 0
  local package
  for package in transformers torchtitan==0.3.0; do
    "$target/bin/python" -c "import ${package%%=*}" 2>/dev/null ||
        "$target/bin/python" -m pip install --quiet "$package" "torch==$version"
  done
}

if [[ -x $target/bin/python ]] && "$target/bin/python" -c 'import torch' \
    2>/dev/null; then
  install_others
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
install_others
"$target/bin/python" -c 'import torch; print("PyTorch", torch.__version__)'
