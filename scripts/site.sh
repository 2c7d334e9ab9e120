#!/usr/bin/env bash
# Builds the documentation as a site.
#
#   scripts/site.sh [FOLDER]      writes the site to FOLDER (build/site)
#
# scripts/make-docs.sh makes the environment with mkdocs. The Python API (pdoc) and
# the C headers (Doxygen) are added under FOLDER/api if their tools are found;
# otherwise this script prints which tool is missing and leaves that part out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(realpath -m "${1:-build/site}")
environment=${MOE_DOCS:-$HOME/.cache/moe-mlir/docs}

scripts/make-docs.sh "$environment"
"$environment/bin/mkdocs" build --strict --config-file docs/site/mkdocs.yml \
  --site-dir "$folder"

if "$environment/bin/python" -c 'import pdoc, numpy' 2>/dev/null; then
  PYTHONPATH=python "$environment/bin/python" -m pdoc --output-directory \
    "$folder/api/python" moe_mlir
else
  echo "site.sh: no Python API: expected pdoc and numpy in $environment" >&2
fi
if command -v doxygen >/dev/null; then
  mkdir -p "$folder/api/c"
  { cat docs/site/Doxyfile; echo "OUTPUT_DIRECTORY = $folder/api/c"; } | doxygen -
else
  echo "site.sh: no C API: expected doxygen, found none" >&2
fi
echo "$folder/index.html"
