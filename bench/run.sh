#!/usr/bin/env bash
# Measures the compiler beside the stock mlir-opt, in one run on one machine.
#
#   bench/run.sh [name]     writes bench/results/<name>.md, "local" unless given
#
# Needs the release build with the plugin. Exit code 1 when compile time grows
# faster with the number of layers than the bound in bench/measure.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 bench/measure.py "${1:-local}"
