#!/usr/bin/env bash
# Bandwidth of the backend `host` beside OpenMPI's own collectives, on the same
# ranks and sizes in one run: with as many ranks as cores, and with four times
# as many, where mpi_yield_when_idle=1 lets MPI's processes share cores.
#
#   runtime/bench/run.sh BUILD
#
# BUILD holds bin/moert-bench and bin/moert-bench-mpi (target
# moert-benchmarks). Runs alternate and the best of each counts, so that other
# work on the machine hits both. Exit code 1 when `host` is slower at some size
# of 64 KiB or more.
set -euo pipefail

if (($# != 1)); then
  echo "usage: run.sh BUILD" >&2
  exit 2
fi
build=$1
for program in moert-bench moert-bench-mpi; do
  if [[ ! -x $build/bin/$program ]]; then
    echo "run.sh: expected $build/bin/$program, found none: build the target" \
      "moert-benchmarks, which makes the second where CMake finds MPI" >&2
    exit 2
  fi
done
if ! command -v mpirun >/dev/null; then
  echo "run.sh: expected mpirun in PATH, found none" >&2
  exit 2
fi
results=$(mktemp)
trap 'rm -f "$results"' EXIT
cores=$(nproc)
rounds=3

for ranks in "$cores" $((4 * cores)); do
  yield=$((ranks > cores ? 1 : 0))
  for ((round = 0; round < rounds; ++round)); do
    "$build/bin/moert-bench" host "$ranks" >>"$results"
    mpirun --allow-run-as-root --oversubscribe --quiet \
      --mca mpi_yield_when_idle "$yield" -np "$ranks" \
      "$build/bin/moert-bench-mpi" >>"$results"
  done
done

python3 - "$results" <<'PYTHON'
import sys

best = {}
for line in open(sys.argv[1]):
    who, what, ranks, size, us = line.split()
    key = (int(ranks), what, int(size))
    times = best.setdefault(key, {})
    times[who] = min(float(us), times.get(who, float("inf")))
print(f"{'collective':12} {'ranks':>5} {'bytes':>10} {'host us':>10} "
      f"{'OpenMPI us':>10} {'host GB/s':>10} {'ratio':>6}")
slower = 0
for (ranks, what, size), times in sorted(best.items()):
    ratio = times["openmpi"] / times["host"]
    slower += size >= 65536 and ratio < 1
    print(f"{what:12} {ranks:5} {size:10} {times['host']:10.1f} "
          f"{times['openmpi']:10.1f} {size / times['host'] / 1e3:10.2f} "
          f"{ratio:6.2f}")
print(f"{slower} of the sizes from 64 KiB on are slower than OpenMPI's")
sys.exit(1 if slower else 0)
PYTHON
