#!/usr/bin/env bash
# Imports the published configuration of Mixtral 8x7B, rewrites its
# all-to-alls, shows the bytes sent over each mesh axis before and after; chooses
# the form of each layer for two machines, explains the choice and predicts what
# it gains; schedules a training step in seven ways; and proves on small copies
# that every rank ends with the same values, two of them executed.
#
#   scripts/mixtral.sh BIN OUT
#
# BIN holds the tools, OUT is a folder for the modules.
set -euo pipefail

if (($# != 2)); then
  echo "usage: mixtral.sh BIN OUT" >&2
  exit 2
fi
bin=$(realpath "$1")
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

echo "Mixtral 8x7B, 32 layers, ep 8 x tp 4, 4096 tokens: bytes one rank sends"
echo
run python3 "$scripts/compare-volumes.py" "$out/mixtral.csv" \
  "$out/mixtral-decomposed.csv"
echo
# The speedup of a program over another one on a platform, as moe-sim says it.
compare() {
  run "$bin/moe-sim" "$1" --baseline="$2" --platform="$3" |
    sed -n 's/^speedup *//p'
}
# Without and with sequence parallelism, by what was compiled.
speedups=()

# The same model for one machine after another: the form of each layer that the
# simulator finds fastest, and a timeline of all 32 layers.
for target in "a800-2x8 2 8" "dgx-h100 8 4"; do
  read -r platform ep tp <<<"$target"
  name=mixtral-$platform
  run "$bin/moe-translate" --import-hf-config "$config" --ep "$ep" --tp "$tp" \
    --micro-batch 1 --seq-len 4096 -o "$out/$name-baseline.mlir"
  run "$bin/moe-opt" "$out/$name-baseline.mlir" \
    --moe-compile="to=schedule platform=$platform" -o "$out/$name.mlir" \
    --remarks-filter=moe-select-strategy --remark-format=yaml \
    --remarks-output-file="$out/$name.remarks.yaml"
  echo "Compiled for $platform, ep $ep x tp $tp: chosen and predicted"
  echo
  run python3 "$scripts/show-choices.py" "$out/$name.remarks.yaml"
  echo
  # The baseline is named as in the folder that all files of the demo are in.
  (cd "$out" && run "$bin/moe-sim" "$name.mlir" --platform="$platform" \
    --baseline="$name-baseline.mlir" --trace="$name.trace.json")
  echo
  spread=$out/$name-sequence-parallel
  run "$bin/moe-translate" --import-hf-config "$config" --ep "$ep" --tp "$tp" \
    --sequence-parallel --micro-batch 1 --seq-len 4096 \
    -o "$spread-baseline.mlir"
  run "$bin/moe-opt" "$spread-baseline.mlir" -o "$spread.mlir" \
    --moe-compile="to=schedule platform=$platform"
  without=$(compare "$out/$name.mlir" "$out/$name-baseline.mlir" "$platform")
  with=$(compare "$spread.mlir" "$spread-baseline.mlir" "$platform")
  speedups+=("layers on $platform" "$without" "$with")
done

# A step of training, backward pass and gradients included, as systems before
# schedule it and in the best way found.
platform=dgx-h100
step=(--phase train --import-hf-config "$config")
run "$bin/moe-translate" "${step[@]}" --dp 2 --ep 8 --tp 4 \
  --micro-batch 1 --seq-len 4096 -o "$out/step.mlir"
answers=()
for schedule in deepspeed tutel tutel-improved lina fsmoe-no-iio fsmoe best; do
  name=$out/step-$schedule
  run "$bin/moe-opt" "$out/step.mlir" -o "$name.mlir" \
    --moe-compile="to=schedule platform=$platform schedule=$schedule" \
    --remarks-filter="moe.*" --remark-format=yaml \
    --remarks-output-file="$name.remarks.yaml"
  run "$bin/moe-sim" "$name.mlir" --platform="$platform" --json >"$name.json"
  answers+=("$schedule=$name.json")
done
echo "A training step of all 32 layers on $platform, dp 2 x ep 8 x tp 4: predicted"
echo
run python3 "$scripts/compare-schedules.py" "${answers[@]}"
echo
run "$bin/moe-translate" "${step[@]}" --dp 2 --ep 8 --tp 4 \
  --sequence-parallel --micro-batch 1 --seq-len 4096 -o "$out/spread-step.mlir"
for schedule in deepspeed best; do
  run "$bin/moe-opt" "$out/spread-step.mlir" -o "$out/spread-$schedule.mlir" \
    --moe-compile="to=schedule platform=$platform schedule=$schedule"
done
without=$(compare "$out/step-best.mlir" "$out/step-deepspeed.mlir" "$platform")
with=$(compare "$out/spread-best.mlir" "$out/spread-deepspeed.mlir" "$platform")
speedups+=("step on $platform" "$without" "$with")
echo "Speedups above, and with sequence parallelism, which Megatron requires of"
echo "MoE layers under tensor parallelism: no token is then sent twice"
echo
printf '%-20s %8s %8s\n' "" without with "${speedups[@]}"
echo
# A page to look at, of the best one beside the first.
(cd "$out" && run "$bin/moe-sim" step-best.mlir --platform="$platform" \
  --baseline=step-deepspeed.mlir --remarks=step-best.remarks.yaml \
  --report=step.html >/dev/null)

# A copy small enough to run all ranks of it: two layers of the same kind, with
# short vectors. First on the same mesh, as the passes before the choice leave it.
small=(--micro-batch 1 --seq-len 64 --layers 2 --hidden-size 16
  --expert-ffn-size 32)
run "$bin/moe-translate" --import-hf-config "$config" "${mesh[@]}" \
  "${small[@]}" -o "$out/small.mlir"
run "$bin/moe-opt" "$out/small.mlir" --moe-compile="to=decompose" \
  -o "$out/small-decomposed.mlir"

echo "2 layers with short vectors on 16 ranks, each layer scheduled in 4 chunks:"
echo "compiled and executed with a thread for each rank, then on terms"
echo
# Then on as many ranks as there are threads for, in the form that wins above.
run "$bin/moe-translate" --import-hf-config "$config" --ep 8 --tp 2 \
  "${small[@]}" -o "$out/small-16.mlir"
run "$bin/moe-opt" "$out/small-16.mlir" -o "$out/small-16-scheduled.mlir" \
  --moe-compile="to=schedule platform=dgx-h100 strategy=o3 degree=4"
run "$bin/moe-run" --backend=host "$out/small-16-scheduled.mlir" \
  --against="$out/small-16.mlir"
run "$bin/moe-run" "$out/small-16-scheduled.mlir" --symbolic \
  --against="$out/small-16.mlir"
echo
echo "A training step of 2 layers with short vectors on 16 ranks, in the best"
echo "schedule: compiled and executed with a thread for each rank"
echo
run "$bin/moe-translate" "${step[@]}" --dp 2 --ep 4 --tp 2 "${small[@]}" \
  -o "$out/small-step.mlir"
run "$bin/moe-opt" "$out/small-step.mlir" -o "$out/small-step-scheduled.mlir" \
  --moe-compile="to=schedule platform=$platform schedule=best"
run "$bin/moe-run" --backend=host "$out/small-step-scheduled.mlir" \
  --against="$out/small-step.mlir"
echo
echo "2 layers with short vectors on the same mesh: by values, then by terms"
echo
run "$bin/moe-run" "$out/small-decomposed.mlir" --against="$out/small.mlir"
run "$bin/moe-run" "$out/small-decomposed.mlir" --symbolic \
  --against="$out/small.mlir"
