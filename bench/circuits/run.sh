#!/usr/bin/env bash
# Circuits that follow demand, on real packets: a layer's four exchanges over TCP
# between network namespaces, over packets alone (EPS) and over circuits that the
# runtime plans for each layer, which moert-ocs-switch, spoken to in TL1, carries
# out by joining links and moving routes under open connections.
#
#   bench/circuits/run.sh [SERVERS [DEGREE [RATE [MBYTES [STEPS]]]]]
#
# 4 servers with 3 optical links and one to EPS, of 40 Mbit/s each; 4 MB that each
# has for others in an exchange; 7 steps of each kind, taking turns. The libraries
# and moert-ocs-switch are taken from BUILD in the environment, else from
# build/release. Exit code 77 where namespaces are not permitted.
#
# Columns: median time of a step over EPS, and predicted; over circuits planned for
# the mean of all demands, up before; over those planned for its own demand, their
# change included, and predicted; how many times as fast that is, and predicted;
# of the time that was to be saved the part that was.
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
# What carries a change out takes its time itself.
"$build/bin/moert-ocs-switch" --ports=$((servers * degree)) --base-us=0 \
  --per-pair-us=0 --on-change="'$here/fabric.sh' join" >"$folder/address" &
device=$!
for ((i = 0; i < 100; ++i)); do
  [[ -s $folder/address ]] && break
  sleep 0.05
done
"$folder/follow" "$(cat "$folder/address")" "$servers" "$degree" "$mbytes" \
  "$steps"
