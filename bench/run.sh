#!/usr/bin/env bash
# Measures the compiler compared with the stock mlir-opt, and the planners
# compared with simpler ones, in one run on one machine.
#
#   bench/run.sh [name]     writes bench/results/<name>.md (default: local.md)
#
# Requires the release build with the plugin and the target moe-bench-schedule.
# Exit code 1 if compile time, its growth with the number of layers, or the time
# of a choice exceeds the bounds in bench/measure.py and
# bench/schedule/schedule.cpp.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 bench/measure.py "${1:-local}"
