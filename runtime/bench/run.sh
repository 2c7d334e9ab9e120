#!/usr/bin/env bash
# Compares the bandwidth of the backend `host` with OpenMPI's collectives, on
# the same ranks and sizes in one run: with as many ranks as cores, and with
# four times as many, where mpi_yield_when_idle=1 lets MPI's processes share
# cores. Also measures the CPU time of ranks that wait for a slow one.
#
#   runtime/bench/run.sh BUILD [waiting]
#
# With `waiting`, runs only the latter.
#
# BUILD holds bin/moert-bench and bin/moert-bench-mpi (target moert-benchmarks).
# Runs alternate and the best of each counts, so that other work on the machine
# affects both. Prints a page of bench/results. Exit code 1 if `host` is slower
# at some size of 64 KiB or more, or has less than 0.7 of OpenMPI's speed at a
# smaller one.
set -euo pipefail

if (($# < 1 || $# > 2)) || [[ ${2-waiting} != waiting ]]; then
  echo "usage: run.sh BUILD [waiting]" >&2
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

cat <<TEXT
# Host ranks beside OpenMPI

\`runtime/bench/run.sh BUILD\` on $(date -u +'%-d %B %Y'); $cores virtual cores of
$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), family \
$(sed -n 's/^cpu family[^:]*: //p' /proc/cpuinfo | head -1), $(mpirun --version | head -1) with its defaults.
Load average when it began: $(cut -d' ' -f1 /proc/loadavg). \`us\` is one call among many that follow each other,
the slowest rank's time; \`waited\` is one where the host waits for each call
before the next. Bytes are what a rank holds before an all-to-all and after an
all-gather. With more ranks than cores OpenMPI runs with
\`mpi_yield_when_idle=1\`. Runs alternate, and the best of $rounds of each counts.

TEXT

# Both programs with the same ranks, with the mode as their last argument.
measure() {
  local ranks=$1
  local yield=$((ranks > cores ? 1 : 0))
  "$build/bin/moert-bench" host "$ranks" "${@:2}" >>"$results"
  mpirun --allow-run-as-root --oversubscribe --quiet \
    --mca mpi_yield_when_idle "$yield" -np "$ranks" \
    "$build/bin/moert-bench-mpi" "${@:2}" >>"$results"
}

modes=("" waiting)
if (($# == 2)); then
  modes=(waiting)
fi
# One rank alone waits for no other.
few=$((cores < 2 ? 2 : cores))
for mode in "${modes[@]}"; do
  for ranks in "$few" $((4 * few)); do
    for ((round = 0; round < rounds; ++round)); do
      measure "$ranks" ${mode:+"$mode"}
    done
  done
done

python3 - "$results" <<'PYTHON'
import sys

best, waiting = {}, {}
for line in open(sys.argv[1]):
    who, what, ranks, size, value = line.split()
    key = (int(ranks), what, int(size))
    values = (waiting if what == "waiting" else best).setdefault(key, {})
    values[who] = min(float(value), values.get(who, float("inf")))


def print_waiting():
    print("| ranks | the slow one sleeps us | host % | OpenMPI % |")
    print("|---|---|---|---|")
    for (ranks, _, delay), shares in sorted(waiting.items()):
        print(f"| {ranks} | {delay} | {shares['host']:.1f} | {shares['openmpi']:.1f} |")
    print("\nPercent of a core (user and system time) that each rank takes which waits "
          "for\nrank 0, the least of the runs.")


if not best:
    print_waiting()
    sys.exit(0)
print("| collective | ranks | bytes | host us | OpenMPI us | ratio | waited us |")
print("|---|---|---|---|---|---|---|")
slower = 0
for (ranks, what, size), times in sorted(best.items()):
    ratio = times["openmpi"] / times["host"]
    slower += ratio < (1 if size >= 65536 else 0.7)
    waited = f"{times['host-waited']:.1f}" if "host-waited" in times else ""
    print(f"| {what} | {ranks} | {size} | {times['host']:.1f} | "
          f"{times['openmpi']:.1f} | {ratio:.2f} | {waited} |")
print(f"\n{slower} of {len(best)} sizes are below 1 (from 64 KiB on) or 0.7.\n")
print_waiting()
sys.exit(1 if slower else 0)
PYTHON
