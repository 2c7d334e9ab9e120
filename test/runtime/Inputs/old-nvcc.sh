#!/bin/sh
# Prints the message of an nvcc that does not support an architecture.
if [ "$1" = --version ]; then
  echo "Cuda compilation tools, release 11.0, V11.0.1"
  exit 0
fi
echo "nvcc fatal   : Value 'sm_90' is not defined for option 'gpu-architecture'" >&2
exit 1
