#!/usr/bin/env bash
# Runs a command as four ranks on device 0. NCCL refuses two ranks on one
# device of one host, so each process has a host identity of its own; they then
# talk over loopback.
set -euo pipefail
export MOERT_ADDRESS=127.0.0.1:29712 MOERT_WORLD_SIZE=4 CUDA_VISIBLE_DEVICES=0
export NCCL_SOCKET_IFNAME=lo
children=()
for rank in 1 2 3; do
  MOERT_RANK=$rank NCCL_HOSTID=rank$rank "$@" &
  children+=($!)
done
MOERT_RANK=0 NCCL_HOSTID=rank0 "$@"
for child in "${children[@]}"; do
  wait "$child"
done
