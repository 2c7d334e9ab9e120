#!/usr/bin/env bash
# Layers that drop nothing as compiled, on the servers of fabric.sh: over packets
# alone (EPS), over circuits that are up for the mean demand of the layers, and
# over those that the program plans for each layer by its counts (ocs.plan), the
# switch speaking TL1. compiled.py says what is printed.
#
#   bench/circuits/compiled.sh [OPTION-OF-compiled.py...]
#
# SERVERS, DEGREE and RATE (Mbit/s) in the environment are those of fabric.sh, 4,
# 3 and 40 unless set. Tools are taken from BUILD, else from build/release. Exit
# code 77 where namespaces are not permitted or OpenMPI is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${BUILD:-$here/../../build/release}
case ${1:-} in
-h | --help) exec python3 "$here/compiled.py" --help ;;
esac
for tool in ip tc mpirun python3; do
  command -v "$tool" >/dev/null || {
    echo "compiled.sh: skipped, $tool is not there" >&2
    exit 77
  }
done
[[ -x $build/bin/moe-run ]] || {
  echo "compiled.sh: expected $build/bin/moe-run: build it, or set BUILD" >&2
  exit 2
}
export PATH=$build/bin:$PATH
export SERVERS=${SERVERS:-4} DEGREE=${DEGREE:-3}
"$here/fabric.sh" up "$SERVERS" "$DEGREE" "${RATE:-40}"
trap '"$here/fabric.sh" down' EXIT
python3 "$here/compiled.py" "$@"
