#!/usr/bin/env bash
# Fuzzes with mutations of the modules in test/, under the sanitizers.
#
#   test/fuzz/fuzz.sh [seconds]      new inputs each time (default: 60 s)
#   test/fuzz/fuzz.sh --inputs N     always nearly the same N inputs, so that
#                                    findings depend on this tree, not on luck
#
# Requires the target moe-fuzz of the preset asan. Exit code 0: nothing found;
# 1: a crash, a hang or a wrong round trip, whose input is kept, reduced and
# named; 2: wrong use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [[ ${1:-} == --inputs ]]; then
  what="number of inputs"
  number=${2:-}
  limits=(-runs="$number" -seed=1)
else
  what="number of seconds"
  number=${1:-60}
  limits=(-max_total_time="$number")
fi
if [[ ! $number =~ ^[1-9][0-9]*$ ]]; then
  echo "fuzz.sh: expected a $what, got '$number'" >&2
  exit 2
fi
fuzzer=build/asan/test/fuzz/bin/moe-fuzz
if [[ ! -x $fuzzer ]]; then
  echo "fuzz.sh: expected $fuzzer, found no such program; build it with" \
       "'cmake --preset asan' and 'cmake --build --preset asan --target" \
       "moe-fuzz'" >&2
  exit 2
fi

work=build/asan/fuzz
# New inputs start from the interesting inputs of earlier runs; the same inputs
# start from the tests alone.
if [[ ${1:-} == --inputs ]]; then
  rm -rf "$work/corpus"
fi
mkdir -p "$work/corpus" "$work/found"
python3 test/fuzz/collect.py test "$work/corpus"

# See test/lit.cfg.py for why.
export ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0
export UBSAN_OPTIONS=print_stacktrace=1
log=$work/log.txt
status=0
start=$SECONDS
# Inputs take milliseconds. The limit is on wall time, and a busy machine may stop
# for a minute.
"$fuzzer" "$work/corpus" "${limits[@]}" -timeout=180 \
  -rss_limit_mb=4096 -max_len=16384 -artifact_prefix="$work/found/" \
  -print_final_stats=1 >"$log" 2>&1 || status=$?

inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
if ((status == 0)); then
  echo "fuzz: ${inputs:?no count of inputs in $log} inputs in" \
       "$((SECONDS - start)) s, nothing found"
  exit 0
fi

tail -n 60 "$log" >&2
artifact=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
if [[ -z $artifact ]]; then
  echo "fuzz: the fuzzer failed with exit code $status without an input;" \
       "see $log" >&2
  exit 1
fi
python3 test/fuzz/minimise.py "$fuzzer" "$artifact" "$artifact.mlir"
echo "fuzz: found after ${inputs:-?} inputs: $artifact.mlir"
exit 1
