#!/usr/bin/env bash
# Measures layers that drop nothing beside padded ones under skewed routing, on
# small clusters of network namespaces: sets each up, runs ragged.py on it, and
# takes it down again.
#
#   bench/dispatch/ragged.sh FOLDER [SHAPE...] [-- OPTION-OF-ragged.py...]
#
# SHAPE is NODESxRANKS, 4x1 and 2x2 unless given. Tables go to FOLDER. RATE in
# the environment is that of the links, 400mbit unless set. The tools (moe-run
# and others) are taken from PATH, else from build/release. Exit code 77 where
# network namespaces are not permitted or OpenMPI is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cluster=$here/../cluster/cluster.sh
if (($# == 0)); then
  sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
folder=$1
shift
shapes=()
while (($#)) && [[ $1 != -- ]]; do
  [[ $1 =~ ^[2-9]x[1-9][0-9]*$ ]] || {
    echo "ragged.sh: expected a shape such as 4x1, got '$1'" >&2
    exit 2
  }
  shapes+=("$1")
  shift
done
(($#)) && shift
((${#shapes[@]})) || shapes=(4x1 2x2)
command -v moe-run >/dev/null || PATH=$here/../../build/release/bin:$PATH
export PATH
for tool in moe-run moe-profile mpirun ip tc python3; do
  command -v "$tool" >/dev/null || {
    echo "ragged.sh: skipped, $tool is not there" >&2
    exit 77
  }
done

for shape in "${shapes[@]}"; do
  # What is up already is somebody's: cluster.sh refuses, and it stays up.
  "$cluster" up "${shape%x*}" "${RATE:-400mbit}"
  trap '"$cluster" down' EXIT
  python3 "$here/ragged.py" "${shape#*x}" "$folder" "$@"
  "$cluster" down
  trap - EXIT
done
