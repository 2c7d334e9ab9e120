#!/usr/bin/env bash
# Measures the variants of an all-to-all on small clusters of network
# namespaces: creates each cluster, measures it with moe-profile, executes and
# predicts the variants, and removes it again.
#
#   bench/cluster/run.sh FOLDER [SHAPE...] [-- OPTION-OF-forms.py...]
#   MEASURE=SCRIPT.py bench/cluster/run.sh FOLDER [SHAPE...] [-- OPTION...]
#
# The second form runs SCRIPT.py RANKS FOLDER OPTION... instead of forms.py.
# SHAPE is NODESxRANKS (default: 2x2 and 2x4). Tables and plots are written to
# FOLDER. RATE in the environment is the rate of links (default: 400mbit), or
# one per node: 400mbit,400mbit,400mbit,100mbit. INSIDE is the rate between
# ranks of a node, which share memory if it is not set. Tools (moe-run and
# others) are taken from PATH, or from build/release. Exit code 77 if network
# namespaces are not permitted or OpenMPI is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# == 0)); then
  sed -n '2,17s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
folder=$1
shift
shapes=()
while (($#)) && [[ $1 != -- ]]; do
  [[ $1 =~ ^[2-9]x[1-9][0-9]*$ ]] || {
    echo "run.sh: expected a shape such as 2x4, got '$1'" >&2
    exit 2
  }
  shapes+=("$1")
  shift
done
(($#)) && shift
((${#shapes[@]})) || shapes=(2x2 2x4)
command -v moe-run >/dev/null || PATH=$here/../../build/release/bin:$PATH
export PATH
for tool in moe-run moe-profile mpirun ip tc python3; do
  command -v "$tool" >/dev/null || {
    echo "run.sh: skipped, $tool is not there" >&2
    exit 77
  }
done

for shape in "${shapes[@]}"; do
  # A cluster that is already up belongs to another user: cluster.sh fails, and
  # it stays up.
  "$here/cluster.sh" up "${shape%x*}" "${RATE:-400mbit}" \
    ${INSIDE:+"$INSIDE"}
  trap '"$here/cluster.sh" down' EXIT
  python3 "${MEASURE:-$here/forms.py}" "${shape#*x}" "$folder" "$@"
  "$here/cluster.sh" down
  trap - EXIT
done
