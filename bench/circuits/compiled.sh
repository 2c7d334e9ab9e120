#!/usr/bin/env bash
# Compiled dropless layers on the servers of fabric.sh: over packets alone
# (EPS), over circuits for the mean demand of the layers, and over circuits that
# the program plans for each layer by its counts (ocs.plan), with a switch that
# uses TL1. compiled.py describes the output.
#
#   bench/circuits/compiled.sh [OPTION-OF-compiled.py...]
#
# SERVERS, DEGREE and RATE (Mbit/s) in the environment are the arguments of
# fabric.sh (default: 4, 3 and 40). Tools are taken from BUILD, or from
# build/release. Exit code 77 if namespaces are not permitted or OpenMPI is
# missing.
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
