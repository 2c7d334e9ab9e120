#!/usr/bin/env bash
# Regenerates the pictures of the documentation in docs/pictures. Requires Chromium.
#
#   scripts/pictures.sh BIN
#
# BIN holds the tools, for example build/ci/bin. test/docs/pictures.test fails if a
# picture is stale.
set -euo pipefail

if (($# != 1)); then
  echo "usage: pictures.sh BIN" >&2
  exit 2
fi
if ! command -v chromium >/dev/null; then
  echo "pictures.sh: cannot draw pages: chromium is not installed" >&2
  echo "pictures.sh: note: scripts/install-deps.sh chromium installs it" >&2
  exit 1
fi
scripts=$(dirname "${BASH_SOURCE[0]}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

python3 "$scripts/pipeline-picture.py" >"$folder/pipeline.svg"
mv "$folder/pipeline.svg" "$scripts/../docs/pictures/pipeline.svg"
python3 "$scripts/figures.py" draw "$1" "$scripts/../docs/pictures"
python3 "$scripts/report-picture.py" make "$1" "$folder"
python3 "$scripts/report-picture.py" draw "$folder"
