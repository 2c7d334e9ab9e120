#!/usr/bin/env bash
# From nothing to a proved rewrite: installs what is missing, builds, imports
# the published configuration of Mixtral 8x7B, rewrites its all-to-alls, shows
# the bytes sent over each mesh axis before and after, and proves on a small
# copy that every rank ends with the same values.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
  echo "+ $*" >&2
  "$@"
}

run scripts/install-deps.sh
run cmake --preset release
run cmake --build --preset release -j "$(nproc)" \
  --target moe-opt moe-translate moe-run

out=build/demo
bin=build/release/bin
config=examples/configs/mixtral-8x7b.json
mesh=(--ep 8 --tp 4)
mkdir -p "$out"

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
small=(--micro-batch 1 --seq-len 64 --layers 2 --hidden-size 16
       --expert-ffn-size 32)
run "$bin/moe-translate" --import-hf-config "$config" "${mesh[@]}" \
  "${small[@]}" -o "$out/small.mlir"
run "$bin/moe-opt" "$out/small.mlir" --moe-compile="to=decompose" \
  -o "$out/small-decomposed.mlir"
run "$bin/moe-run" "$out/small-decomposed.mlir" \
  --against="$out/small.mlir" | tee "$out/values.txt"
run "$bin/moe-run" "$out/small-decomposed.mlir" --symbolic \
  --against="$out/small.mlir" | tee "$out/proof.txt"

echo
echo "Mixtral 8x7B, 32 layers, ep 8 x tp 4, 1 x 4096 tokens a rank:" \
     "bytes one rank sends"
run python3 scripts/compare-volumes.py "$out/mixtral.csv" \
  "$out/mixtral-decomposed.csv"
echo
echo "A small copy on the same 32 ranks, by values and by terms"
cat "$out/values.txt" "$out/proof.txt"
