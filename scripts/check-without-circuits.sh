#!/usr/bin/env bash
# Builds the tree without optical circuits and fabrics, and runs its tests.
#
#   scripts/check-without-circuits.sh [ARGUMENT of lit...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset ci -B build/core -DMOE_ENABLE_CIRCUITS=OFF \
  -DMOE_ENABLE_CHECK_BUILDS=OFF
cmake --build build/core
lit=$(command -v lit-22 || command -v lit || command -v llvm-lit)
"$lit" -q build/core/test "$@"
