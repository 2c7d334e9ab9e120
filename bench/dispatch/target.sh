#!/usr/bin/env bash
# Measures TA-MoE's target dispatch beside an even one on two small clusters of
# network namespaces: two nodes of two ranks with slow links between them, and
# four nodes of which one has a slow link. target.py on each, as
# bench/cluster/run.sh does it.
#
#   bench/dispatch/target.sh FOLDER [OPTION-OF-target.py...]
#
# RATE in the environment is that of fast links, of those between the ranks of a
# node too, 400mbit unless set, SLOW that of slow ones, 100mbit.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# == 0)); then
  sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
folder=$1
shift
export MEASURE=$here/target.py
rate=${RATE:-400mbit}
slow=${SLOW:-100mbit}
RATE=$slow INSIDE=$rate "$here/../cluster/run.sh" "$folder" 2x2 -- "$@"
RATE=$rate,$rate,$rate,$slow \
  "$here/../cluster/run.sh" "$folder" 4x1 -- "$@"
