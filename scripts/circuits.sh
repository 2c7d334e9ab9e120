#!/usr/bin/env bash
# Prints one line about a program that changes optical circuits by the counts of
# its gates. Runs it on packets between network namespaces
# (bench/circuits/compiled.sh) if these are permitted; otherwise on threads with
# an emulated switch.
#
#   scripts/circuits.sh BIN
#
# BIN holds the tools. On packets the line has the measured and predicted time
# of a step of two layers over packets alone and over circuits.
set -euo pipefail

if (($# != 1)); then
  echo "usage: circuits.sh BIN" >&2
  exit 2
fi
bin=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

code=0
BUILD=$bin/.. RATE=100 "$root/bench/circuits/compiled.sh" --one --steps=1 --tokens=256 \
  --routings="hot expert" || code=$?
# 77: not permitted or not installed here.
((code == 77)) || exit "$code"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# Servers of one rank with two optical ports each.
cat >"$out/platform.json" <<'PLATFORM'
{"name": "four-servers", "origin": "made up", "levels": [
  {"name": "eps", "ranks": 4, "bandwidth_GBps": 0.005, "ranks_per_nic": 1,
   "latency_us": 1, "origin": "made up", "latency_origin": "made up"}],
 "copy_bandwidth_GBps": 100, "copy_origin": "made up", "copy_latency_us": 1,
 "gemm_alpha_us": 1, "gemm_beta_us_per_mac": 1e-4, "gemm_origin": "made up",
 "circuits": {"server_ranks": 1, "optical_degree": 2, "eps_nics": 1,
  "nic_rate_GBps": 0.005, "reconfiguration_base_us": 100,
  "reconfiguration_per_pair_us": 0, "link_up_us": 0, "origin": "made up"}}
PLATFORM
"$bin/moe-translate" --import-hf-config \
  "$root/examples/configs/mixtral-8x7b.json" --micro-batch 1 --seq-len 32 \
  --hidden-size 16 --expert-ffn-size 8 --num-experts 4 --dtype f32 \
  --routing=dropless --ep 4 --tp 1 --layers 2 --phase=train -o "$out/in.mlir"
"$bin/moe-opt" "$out/in.mlir" -o "$out/circuits.mlir" \
  --moe-compile="platform=$out/platform.json to=schedule circuits=block"
changes=$(grep -c 'ocs.reconfigure' "$out/circuits.mlir")
"$bin/moert-ocs-switch" --base-us=100 --per-pair-us=0 >"$out/switch" &
switch=$!
trap 'kill "$switch" 2>/dev/null || true; rm -rf "$out"' EXIT
for ((i = 0; i < 200; ++i)); do
  [[ -s $out/switch ]] && break
  sleep 0.05
done
equal=$(MOERT_OCS_PASSWORD=root "$bin/moe-run" "$out/circuits.mlir" \
  --backend=host --ocs="region=$(head -1 "$out/switch"),user=admin,ports=all" \
  --against="$out/in.mlir" --against-backend=interp | sed -n 's/^equal: //p')
kill "$switch"
wait "$switch" || true
count() { echo "$1 $2$( (($1 == 1)) || echo s)"; }
echo "circuits, emulated switch: $(count "$changes" change) asked for in a step of" \
  "2 layers, $(count $(($(wc -l <"$out/switch") - 1)) circuit) up at its end;" \
  "equal to the interpreter: $equal"
