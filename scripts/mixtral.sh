#!/usr/bin/env bash
# The demo: compiles Mixtral 8x7B's published configuration, with and without
# sequence parallelism. Chooses a strategy for each layer on two clusters,
# schedules a training step as several systems do, and checks reduced copies of
# the compiled programs against the originals.
#
#   scripts/mixtral.sh BIN OUT
#
# BIN holds the tools. OUT receives every program, the details (summary.txt) and a
# page (step.html); the last screen is on stdout.
set -euo pipefail

if (($# != 2)); then
  echo "usage: mixtral.sh BIN OUT" >&2
  exit 2
fi
bin=$(realpath "$1")
out=$2
scripts=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
config=$scripts/../examples/configs/mixtral-8x7b.json
sizes=(--micro-batch 1 --seq-len 4096)
small=(--micro-batch 1 --seq-len 64 --layers 2 --hidden-size 16
  --expert-ffn-size 32)
mkdir -p "$out"
cd "$out"

run() {
  echo "+ $*" >&2
  "$@"
}

import() { run "$bin/moe-translate" --import-hf-config "$config" "$@"; }

# describe MODE: text for headings, and the option that it describes.
describe() {
  case $1 in
    sp) echo "with sequence parallelism" ;;
    tp) echo "without sequence parallelism" ;;
  esac
}
declare -A mode_options=([sp]=--sequence-parallel [tp]=)

# Bytes that one rank sends before and after all-to-alls of replicated data are
# rewritten.
volumes() {
  local mesh=(--ep 8 --tp 4)
  import "${mesh[@]}" "${sizes[@]}" -o mixtral.mlir
  run "$bin/moe-opt" mixtral.mlir --moe-compile="to=decompose" \
    -o mixtral-decomposed.mlir
  for name in mixtral mixtral-decomposed; do
    run "$bin/moe-opt" "$name.mlir" --moe-print-volumes=format=csv \
      -o /dev/null >"$name.csv"
  done
  echo "Bytes one rank sends: 32 layers, ep 8 x tp 4, 4096 tokens, $(describe tp)"
  echo
  run python3 "$scripts/compare-volumes.py" mixtral.csv mixtral-decomposed.csv
}

# layers PLATFORM EP TP MODE: the forward pass of all layers, each with the
# fastest strategy by simulation.
layers() {
  local platform=$1 ep=$2 tp=$3 mode=$4 name=layers-$1-$4
  import --ep "$ep" --tp "$tp" ${mode_options[$mode]} "${sizes[@]}" \
    -o "$name-baseline.mlir"
  run "$bin/moe-opt" "$name-baseline.mlir" -o "$name.mlir" \
    --moe-compile="to=schedule platform=$platform" \
    --remarks-filter=moe-select-strategy --remark-format=yaml \
    --remarks-output-file="$name.remarks.yaml"
  echo
  echo "Forward pass on $platform, ep $ep x tp $tp, $(describe "$mode")"
  echo
  run "$bin/moe-sim" "$name.mlir" --platform="$platform" \
    --baseline="$name-baseline.mlir" --remarks="$name.remarks.yaml" \
    --trace="$name.trace.json"
  run "$bin/moe-sim" "$name.mlir" --platform="$platform" \
    --baseline="$name-baseline.mlir" --remarks="$name.remarks.yaml" \
    --json >"$name.json"
}

# step MODE SCHEDULE...: a training step including backward pass and gradient
# all-reduce.
step() {
  local mode=$1 platform=dgx-h100 answers=()
  shift
  import --phase train --dp 2 --ep 8 --tp 4 ${mode_options[$mode]} \
    "${sizes[@]}" -o "step-$mode.mlir"
  for schedule in "$@"; do
    local name=step-$mode-$schedule
    run "$bin/moe-opt" "step-$mode.mlir" -o "$name.mlir" \
      --moe-compile="to=schedule platform=$platform schedule=$schedule" \
      --remarks-filter="moe.*" --remark-format=yaml \
      --remarks-output-file="$name.remarks.yaml"
    run "$bin/moe-sim" "$name.mlir" --platform="$platform" --json >"$name.json"
    answers+=("$schedule=$name.json")
  done
  echo
  echo "Training step on $platform, dp 2 x ep 8 x tp 4, $(describe "$mode")"
  echo
  run python3 "$scripts/compare-schedules.py" "${answers[@]}"
}

# check NAME [OPTION...]: compares NAME-small.mlir with its source program.
check() {
  local name=$1
  shift
  run "$bin/moe-run" "$name.mlir" --against="$name-original.mlir" "$@" |
    tee -a "$name.checked.txt"
}

checks() {
  rm -f ./*.checked.txt
  echo
  echo "Reduced copies (2 layers, hidden size 16, 64 tokens) against the originals"
  echo
  # The strategy that wins above, on as many ranks as threads are reasonable.
  import --ep 8 --tp 2 "${small[@]}" -o forward-original.mlir
  run "$bin/moe-opt" forward-original.mlir -o forward.mlir \
    --moe-compile="to=schedule platform=dgx-h100 strategy=o3 degree=4"
  echo "forward pass: compiled and run with a thread per rank, then symbolic"
  check forward --backend=host
  check forward --symbolic
  echo
  import --phase train --dp 2 --ep 4 --tp 2 "${small[@]}" -o train-original.mlir
  run "$bin/moe-opt" train-original.mlir -o train.mlir \
    --moe-compile="to=schedule platform=dgx-h100 schedule=best"
  echo "training step: compiled and run with a thread per rank"
  check train --backend=host
  echo
  import --ep 8 --tp 4 "${small[@]}" -o decomposed-original.mlir
  run "$bin/moe-opt" decomposed-original.mlir --moe-compile="to=decompose" \
    -o decomposed.mlir
  echo "rewritten all-to-alls: interpreted, then symbolic"
  check decomposed
  check decomposed --symbolic
}

details() {
  volumes
  for mode in sp tp; do
    layers a800-2x8 2 8 "$mode"
    layers dgx-h100 8 4 "$mode"
  done
  step sp deepspeed megatron tutel tutel-improved lina fsmoe-no-iio fsmoe best
  step tp deepspeed megatron best
  checks
}

details >summary.txt
# A page for users: the fastest schedule compared with Megatron's.
run "$bin/moe-sim" step-sp-best.mlir --platform=dgx-h100 \
  --baseline=step-sp-megatron.mlir --remarks=step-sp-best.remarks.yaml \
  --report=step.html >/dev/null
run python3 "$scripts/demo-screen.py" . "$out"
