#!/usr/bin/env bash
# Runs a command with LLVM and the libraries that it loads hidden.
#
#   without_llvm.sh LLVM_FOLDER COMMAND...
#
# Requires root, for a mount namespace of its own.
set -euo pipefail
export HIDDEN=$1
shift
exec unshare -m bash -euc '
  mount -t tmpfs none "$HIDDEN"
  for name in z3 edit xml2 icuuc zstd; do
    for library in /lib/*-linux-gnu/lib$name.so.*; do
      [[ ! -e $library ]] || mount --bind /dev/null "$library"
    done
  done
  exec "$@"' bash "$@"
