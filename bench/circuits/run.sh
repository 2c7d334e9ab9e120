#!/usr/bin/env bash
# Circuits that follow demand, on real packets: a layer's four exchanges over
# TCP between network namespaces, over packets alone (EPS) and over circuits
# that the runtime plans for each layer. moert-ocs-switch, controlled by TL1,
# makes the changes by joining links and moving routes under open connections.
#
#   bench/circuits/run.sh [SERVERS [DEGREE [RATE [MBYTES [STEPS]]]]]
#
# Defaults: 4 servers with 3 optical links and one to EPS, of 40 Mbit/s each; 4
# MB that each server sends per exchange; 7 steps of each kind, in turns. The
# libraries and moert-ocs-switch are taken from BUILD, or from build/release.
# Exit code 77 if namespaces are not permitted.
#
# Columns: median step time over EPS, measured and predicted; over circuits for
# the mean of all demands, set up before; over circuits planned for the step's
# own demand including their change, measured and predicted; speedup, measured
# and predicted; the achieved part of the possible savings.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
build=${BUILD:-$root/build/release}
servers=${1:-4} degree=${2:-3} rate=${3:-40} mbytes=${4:-4} steps=${5:-7}
case ${1:-} in -*) sed -n '2,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;; esac
for tool in ip tc "${CXX:-c++}"; do
  command -v "$tool" >/dev/null || {
    echo "run.sh: skipped, $tool is not there" >&2
    exit 77
  }
done
[[ -x $build/bin/moert-ocs-switch ]] || {
  echo "run.sh: expected $build/bin/moert-ocs-switch: build it, or set BUILD" >&2
  exit 2
}
folder=$(mktemp -d)
"$here/fabric.sh" up "$servers" "$degree" "$rate" || {
  code=$?
  rm -rf "$folder"
  exit "$code"
}
device=
cleanUp() {
  [[ -z $device ]] || kill "$device" 2>/dev/null || true
  "$here/fabric.sh" down
  rm -rf "$folder"
}
trap cleanUp EXIT
"${CXX:-c++}" -std=c++20 -O2 -Wall -Wextra "$here/follow.cpp" \
  -I"$root/runtime/include" -L"$build/lib" -lmoert_ocs -lmoert \
  -Wl,-rpath,"$build/lib" -pthread -o "$folder/follow"
# The switch takes its time for the change itself.
"$build/bin/moert-ocs-switch" --ports=$((servers * degree)) --base-us=0 \
  --per-pair-us=0 --on-change="'$here/fabric.sh' join" >"$folder/address" &
device=$!
for ((i = 0; i < 100; ++i)); do
  [[ -s $folder/address ]] && break
  sleep 0.05
done
"$folder/follow" "$(cat "$folder/address")" "$servers" "$degree" "$mbytes" \
  "$steps"
