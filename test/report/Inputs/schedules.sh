#!/usr/bin/env bash
# Compiles step.mlir with each of several schedules, and writes a page for each
# that compares it with the first.
set -euo pipefail
first=$1
for schedule in "$@"; do
  moe-opt step.mlir -o "$schedule.mlir" \
    --moe-compile="to=schedule platform=dgx-h100 schedule=$schedule" \
    --remarks-filter="moe.*" --remark-format=yaml \
    --remarks-output-file="$schedule.yaml"
  moe-sim "$schedule.mlir" --platform=dgx-h100 --baseline="$first.mlir" \
    --remarks="$schedule.yaml" --report="$schedule.html" --json \
    >"$schedule.json"
done
