#!/usr/bin/env bash
# Measures dropless layers compared with padded ones under skewed routing, with
# ragged.py on clusters of bench/cluster/run.sh (default: 4x1 and 2x2).
#
#   bench/dispatch/ragged.sh FOLDER [SHAPE...] [-- OPTION-OF-ragged.py...]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# == 0)); then
  sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
folder=$1
shift
[[ ${1:---} != -- ]] || set -- 4x1 2x2 "$@"
MEASURE=$here/ragged.py exec "$here/../cluster/run.sh" "$folder" "$@"
