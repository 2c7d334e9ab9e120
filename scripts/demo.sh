#!/usr/bin/env bash
# Builds the tools and rewrites a Mixtral layer with them: installs missing
# packages, builds the programs that the demo runs, and runs scripts/mixtral.sh
# and scripts/circuits.sh in build/ci, the folder in which scripts/test.sh
# builds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
  echo "+ $*" >&2
  "$@"
}

run scripts/install-deps.sh
run cmake --preset ci
run cmake --build --preset ci -j "$(nproc)" \
  --target moe-opt moe-translate moe-run moe-sim moe-plan moe-profile \
  moert-ocs-switch
run scripts/mixtral.sh build/ci/bin build/demo
echo
run scripts/circuits.sh build/ci/bin
