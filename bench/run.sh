#!/usr/bin/env bash
# Measures the compiler beside the stock mlir-opt, and the planners beside
# simpler ones, in one run on one machine.
#
#   bench/run.sh [name]     writes bench/results/<name>.md, "local" unless given
#
# Needs the release build with the plugin and the target moe-bench-schedule.
# Exit code 1 when compile time or its growth with the number of layers, or the
# time of a choice, is beyond the bounds in bench/measure.py and
# bench/schedule/schedule.cpp.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 bench/measure.py "${1:-local}"
