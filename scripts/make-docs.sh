#!/usr/bin/env bash
# Creates a virtual environment with mkdocs-material, for scripts/site.sh and
# for the test that builds the site.
#
#   scripts/make-docs.sh [FOLDER]
#
# FOLDER is $MOE_DOCS, or ~/.cache/moe-mlir/docs, where the test looks for it;
# 240 MB. docs/site/requirements.txt has the versions. Keeps an environment that
# has these versions. Fails if pip cannot install them.
set -euo pipefail

folder=${1:-${MOE_DOCS:-$HOME/.cache/moe-mlir/docs}}
requirements=$(dirname "${BASH_SOURCE[0]}")/../docs/site/requirements.txt

# The environment keeps the list of its packages, so that a change is detected.
if [[ -x $folder/bin/mkdocs ]] &&
   cmp -s "$requirements" "$folder/requirements.txt"; then
  exit 0
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
if python3 -m venv "$folder" &&
   "$folder/bin/python" -m pip install --quiet -r "$requirements"; then
  cp "$requirements" "$folder/requirements.txt"
else
  rm -rf "$folder"
  echo "make-docs.sh: cannot install $requirements into $folder: Python 3 with venv" \
       "and a package index are required" >&2
  exit 1
fi
