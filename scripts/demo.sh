#!/usr/bin/env bash
# From nothing to a proved rewrite: installs what is missing, builds, and runs
# scripts/mixtral.sh, whose output it ends with but for the one line of
# scripts/circuits.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
  echo "+ $*" >&2
  "$@"
}

run scripts/install-deps.sh
run cmake --preset release
run cmake --build --preset release -j "$(nproc)" \
  --target moe-opt moe-translate moe-run moe-sim moe-plan moe-profile \
  moert-ocs-switch
run scripts/mixtral.sh build/release/bin build/demo
echo
run scripts/circuits.sh build/release/bin
