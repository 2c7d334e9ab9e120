#!/usr/bin/env bash
# Creates virtual environments with JAX, for the tests that run it.
#
#   scripts/make-jax.sh [FOLDER]
#
# Creates one for each version of JAX that the tests support and an installed
# Python can run: JAX 0.10 with Python 3.11, 0.12 with 3.12 or later; 600 MB
# each. FOLDER is $MOE_JAX, or ~/.cache/moe-mlir/jax, where the tests look for
# them. Keeps existing environments. Fails if none can be created.
set -euo pipefail

folder=${1:-${MOE_JAX:-$HOME/.cache/moe-mlir/jax}}

# Python, and the version of JAX for it.
known=(
  "3.11 0.10.2"
  "3.12 0.12.0.1"
  "3.13 0.12.0.1"
)

count=0 have=
for line in "${known[@]}"; do
  read -r python jax <<<"$line"
  # One environment per version of JAX.
  [[ $have == *" $jax "* ]] && continue
  target=$folder/${jax%.*}
  if [[ -x $target/bin/python ]] && "$target/bin/python" -c 'import jax' \
      2>/dev/null; then
    have+=" $jax "
    ((++count))
    continue
  fi
  "python$python" -c '' 2>/dev/null || continue
  rm -rf "$target"
  mkdir -p "$folder"
  if "python$python" -m venv "$target" &&
     "$target/bin/python" -m pip install --quiet "jax==$jax" "jaxlib==$jax"; then
    have+=" $jax "
    ((++count))
  else
    echo "make-jax.sh: JAX $jax cannot be installed for Python $python" >&2
    rm -rf "$target"
  fi
done
if ((count == 0)); then
  echo "make-jax.sh: expected Python 3.11 or later with venv, and packages of" \
       "JAX, found none" >&2
  exit 1
fi
