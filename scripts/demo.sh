#!/usr/bin/env bash
# From nothing to a proved rewrite: installs what is missing, builds, and runs
# scripts/mixtral.sh, whose output it ends with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
  echo "+ $*" >&2
  "$@"
}

run scripts/install-deps.sh
run cmake --preset release
run cmake --build --preset release -j "$(nproc)" \
  --target moe-opt moe-translate moe-run moe-sim
run scripts/mixtral.sh build/release/bin build/demo
