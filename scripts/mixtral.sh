#!/usr/bin/env bash
# Imports the published configuration of Mixtral 8x7B, rewrites its
# all-to-alls, shows the bytes sent over each mesh axis before and after, and
# proves on a small copy that every rank ends with the same values.
#
#   scripts/mixtral.sh BIN OUT
#
# BIN holds the tools, OUT is a folder for the modules.
set -euo pipefail

if (($# != 2)); then
  echo "usage: mixtral.sh BIN OUT" >&2
  exit 2
fi
bin=$1
out=$2
scripts=$(dirname "${BASH_SOURCE[0]}")
config=$scripts/../examples/configs/mixtral-8x7b.json
mesh=(--ep 8 --tp 4)
mkdir -p "$out"

run() {
  echo "+ $*" >&2
  "$@"
}

# The whole model: 32 layers on 8 x 4 ranks.
run "$bin/moe-translate" --import-hf-config "$config" "${mesh[@]}" \
  --micro-batch 1 --seq-len 4096 -o "$out/mixtral.mlir"
run "$bin/moe-opt" "$out/mixtral.mlir" --moe-compile="to=decompose" \
  -o "$out/mixtral-decomposed.mlir"
for name in mixtral mixtral-decomposed; do
  run "$bin/moe-opt" "$out/$name.mlir" --moe-print-volumes=format=csv \
    -o /dev/null >"$out/$name.csv"
done

# A copy small enough to run all 32 ranks of it: two layers of the same kind,
# on the same mesh, with short vectors.
run "$bin/moe-translate" --import-hf-config "$config" "${mesh[@]}" \
  --micro-batch 1 --seq-len 64 --layers 2 --hidden-size 16 \
  --expert-ffn-size 32 -o "$out/small.mlir"
run "$bin/moe-opt" "$out/small.mlir" --moe-compile="to=decompose" \
  -o "$out/small-decomposed.mlir"

echo "Mixtral 8x7B, 32 layers, ep 8 x tp 4, 4096 tokens: bytes one rank sends"
echo
run python3 "$scripts/compare-volumes.py" "$out/mixtral.csv" \
  "$out/mixtral-decomposed.csv"
echo
echo "2 layers with short vectors on the same mesh: by values, then by terms"
echo
run "$bin/moe-run" "$out/small-decomposed.mlir" --against="$out/small.mlir"
run "$bin/moe-run" "$out/small-decomposed.mlir" --symbolic \
  --against="$out/small.mlir"
