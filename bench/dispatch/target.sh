#!/usr/bin/env bash
# Measures TA-MoE's target dispatch compared with an even one, with target.py on
# two clusters of bench/cluster/run.sh: two nodes of two ranks with slow links
# between them, and four nodes, one of them with a slow link.
#
#   bench/dispatch/target.sh FOLDER [OPTION-OF-target.py...]
#
# RATE in the environment is the rate of fast links (default: 400mbit), also
# between the ranks of a node; SLOW is the rate of slow links (default:
# 100mbit).
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
