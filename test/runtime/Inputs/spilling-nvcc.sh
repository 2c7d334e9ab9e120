#!/bin/sh
# Prints nvcc's messages about a kernel that spills and calls a function that
# does not.
if [ "$1" = --version ]; then
  echo "Cuda compilation tools, release 99.1, V99.1.2"
  exit 0
fi
cat >&2 <<'END'
ptxas info    : Compiling entry function 'moert_large' for 'sm_90'
ptxas info    : Function properties for moert_large
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 64 bytes smem
ptxas info    : Function properties for moert_called
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
END
