#!/usr/bin/env bash
# Builds the documentation as a site.
#
#   scripts/site.sh [FOLDER]      writes the site to FOLDER (build/site)
#
# scripts/make-docs.sh creates the environment with mkdocs and pdoc. The Python
# API is written to FOLDER/api/python and the C headers to FOLDER/api/c, the
# latter if Doxygen is found. The modules for JAX and PyTorch import them from the
# environments of scripts/make-jax.sh and scripts/make-torch.sh, if these have the
# same Python. The script prints the parts that it omits, and why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(realpath -m "${1:-build/site}")
environment=${MOE_DOCS:-$HOME/.cache/moe-mlir/docs}
scripts/make-docs.sh "$environment"

export PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1
modules=()
if "$environment/bin/python" -c 'import pdoc, numpy' 2>/dev/null; then
  modules=(moe_mlir.modules moe_mlir.planners moe_mlir.plans moe_mlir.rewriting)
  library=lib/$(basename "$environment"/lib/python3*)/site-packages
  for folder_of in "jax ${MOE_JAX:-$HOME/.cache/moe-mlir/jax}" \
                   "torch $HOME/.cache/moe-mlir/torch"; do
    read -r package environments <<<"$folder_of"
    for found in "$environments"/*/"$library"; do
      [[ -d $found/$package ]] && PYTHONPATH+=:$found && break
    done
    if ! "$environment/bin/python" -c "import $package" 2>/dev/null; then
      echo "site.sh: no API for $package: expected it in $environments/*/$library" >&2
    elif [[ $package == jax ]]; then
      modules+=(moe_mlir.{jax_functions,compiled,compiled_gpu,ragged})
    else
      modules+=(moe_mlir.torch)
    fi
  done
else
  echo "site.sh: no Python API: expected pdoc and numpy in $environment" >&2
fi
doxygen=$(command -v doxygen || true)
if [[ ! $doxygen ]]; then
  echo "site.sh: no C API: expected doxygen, found none" >&2
fi

# The site links the parts that are built below (docs/site/hooks.py).
MOE_SITE_API="${modules:+python }${doxygen:+c}" NO_MKDOCS_2_WARNING=1 \
  "$environment/bin/mkdocs" build --strict \
  --config-file docs/site/mkdocs.yml --site-dir "$folder"
if ((${#modules[@]})); then
  "$environment/bin/python" -m pdoc --output-directory "$folder/api/python" "${modules[@]}"
fi
if [[ $doxygen ]]; then
  mkdir -p "$folder/api/c"
  { cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $folder/api/c"; } | "$doxygen" -
fi
echo "$folder/index.html"
