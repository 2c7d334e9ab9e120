#!/usr/bin/env bash
# Measures the forms of an all-to-all on small clusters of network namespaces:
# sets each up, measures it with moe-profile, executes and predicts the forms,
# and takes it down again.
#
#   bench/cluster/run.sh FOLDER [SHAPE...] [-- OPTION-OF-forms.py...]
#   MEASURE=SCRIPT.py bench/cluster/run.sh FOLDER [SHAPE...] [-- OPTION...]
#
# The second runs SCRIPT.py RANKS FOLDER OPTION... in the place of forms.py.
# SHAPE is NODESxRANKS, 2x2 and 2x4 unless given. Tables and plots go to FOLDER.
# RATE in the environment is that of the links, 400mbit unless set, or one for
# each node: 400mbit,400mbit,400mbit,100mbit; INSIDE, if set, that between ranks of
# a node, which else share memory. The tools (moe-run and others) are taken from
# PATH, else from build/release. Exit code 77 where network namespaces are not
# permitted or OpenMPI is missing.
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
  # What is up already is somebody's: cluster.sh refuses, and it stays up.
  "$here/cluster.sh" up "${shape%x*}" "${RATE:-400mbit}" \
    ${INSIDE:+"$INSIDE"}
  trap '"$here/cluster.sh" down' EXIT
  python3 "${MEASURE:-$here/forms.py}" "${shape#*x}" "$folder" "$@"
  "$here/cluster.sh" down
  trap - EXIT
done
