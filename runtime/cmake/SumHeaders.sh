# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the compiler's command line. If it precompiles a header, writes the
# checksum of the preprocessed text, without paths, next to the result; ccache
# uses it for the header when clones in other folders compile with it.
set -e
"$@"
output= previous= precompiles=
for argument; do
  case $previous in -o) output=$argument ;; esac
  case $argument in -emit-pch) precompiles=yes ;; esac
  previous=$argument
done
[ "$precompiles" ] || exit 0
for argument; do
  shift
  # -Xclang precedes -emit-pch.
  case $argument in
    -c) argument=-E ;;
    -emit-pch) argument=-P ;;
  esac
  set -- "$@" "$argument"
done
"$@" -dD -MF /dev/null -o "$output.sum"
sum=$(sha256sum <"$output.sum")
echo "$sum" >"$output.sum"
