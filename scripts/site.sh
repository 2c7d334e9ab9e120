#!/usr/bin/env bash
# Builds the documentation as a site.
#
#   scripts/site.sh [FOLDER]      writes the site to FOLDER (build/site)
#
# scripts/make-docs.sh creates the environment with mkdocs and pdoc. The Python
# API is written to FOLDER/api/python and the C headers to FOLDER/api/c, the
# latter if Doxygen is found. The script prints the parts that it omits, and
# why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(realpath -m "${1:-build/site}")
environment=${MOE_DOCS:-$HOME/.cache/moe-mlir/docs}
scripts/make-docs.sh "$environment"

modules=()
if "$environment/bin/python" -c 'import pdoc, numpy' 2>/dev/null; then
  modules=(moe_mlir.modules moe_mlir.planners moe_mlir.plans moe_mlir.rewriting)
  # The other modules import JAX or PyTorch.
  for module in jax:jax_functions torch:torch; do
    if "$environment/bin/python" -c "import ${module%:*}" 2>/dev/null; then
      modules+=("moe_mlir.${module#*:}")
    else
      echo "site.sh: no API of moe_mlir.${module#*:}: no ${module%:*} in" \
           "$environment" >&2
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
  PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m pdoc \
    --output-directory "$folder/api/python" "${modules[@]}"
fi
if [[ $doxygen ]]; then
  mkdir -p "$folder/api/c"
  { cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $folder/api/c"; } | "$doxygen" -
fi
echo "$folder/index.html"
