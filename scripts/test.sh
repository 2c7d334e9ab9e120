#!/usr/bin/env bash
# Builds everything with warnings as errors and runs the tests: lit tests, unit
# tests, and a short run of the fuzzer.
#
#   scripts/test.sh           each test once, under the sanitizers or in release
#   scripts/test.sh --full    each test in both builds, unless it cannot run there
#
# Prints the time of each part. The last line is
#
#   N passed, M failed, K skipped
#
# and the exit code is 0 only if none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

full=
case ${1:-} in
  "") ;;
  --full)
    full=yes
    export MOE_TEST_FULL=1
    ;;
  *)
    echo "test.sh: expected --full or no argument, got '$1'" >&2
    exit 2
    ;;
esac

fuzz_inputs=60000
# The longest test takes some minutes on an idle machine.
most_seconds_per_test=1500
jobs=$(nproc)
results=build/test-results

# Tests that the sanitizers run by default: ops, passes and tools, because their
# inputs are small and often invalid. The release build runs scripts that
# compile and execute whole models or measure times, equivalence checks,
# documentation, and everything that the sanitizers do not support.
sanitized='(Dialect|Conversion|Analysis|Platform|CAPI|Cost)/'
sanitized+='|Frontend/(?!train-|families)'
sanitized+='|:: tools/(?!progress|moe-plan/sweep|moe-profile/measure'
sanitized+='|moe-sim/(orders|utilisation))'
sanitized+='|:: (Transforms|Interpreter|Execution)/[^/]*[.]mlir'
sanitized+='|Execution/(calls|misuse|limits|emit)[.]test'
sanitized+='|jax/(?!dump|execute|published-execute|styles|mutate|chunks)'
# Excluded from --full: tests that run no code of ours under the sanitizers, or
# take minutes.
unsanitized='(docs|install|plugin|runtime|proofs|Random|fuzz|report)/'
unsanitized+='|jax/(dump|execute|published-execute|styles)'
unsanitized+='|stand-ins-configs/(?!mixtral-8x7b)'

run() {
  echo "+ $*" >&2
  "$@"
}

# phase NAME COMMAND...: runs a command and notes its wall and CPU seconds.
phase() {
  local name=$1
  shift
  (
    start=$(date +%s)
    "$@"
    # In a pipe it would report the times of the pipe's own shell.
    times >"$results/times.$BASHPID"
    awk -v name="$name" -v wall="$(($(date +%s) - start))" '
      # The second line has the times of the shell'"'"'s children: user and
      # system time.
      NR == 2 {
        for (i = 1; i <= 2; ++i) {
          split($i, part, /[ms]/)
          cpu += 60 * part[1] + part[2]
        }
        printf "%s %d %.0f\n", name, wall, cpu
      }' "$results/times.$BASHPID" >>"$results/times.txt"
  )
}

# Builds a preset and, in addition to `all`, a target or none: `PRESET TARGET
# [OPTION...]`.
build() {
  local preset=$1 target=$2
  shift 2
  run cmake --preset "$preset" "$@" &&
    run cmake --build --preset "$preset" -j "$jobs" --target all $target ||
    echo "build of the preset $preset" >>"$results/failed.txt"
}

# Runs lit tests: `NAME FOLDER [OPTION...]`. Prints the last lines of each
# failing test; NAME.log has everything.
run_lit() {
  local name=$1 folder=$2
  shift 2
  run lit-22 -v -o "$results/$name.json" --timeout="$most_seconds_per_test" \
    "$@" "$folder" 2>&1 |
    tee "$results/$name.log" | awk -v most=15 '
      /^[*]+ TEST .* FAILED [*]+$/ { inside = 1; count = 0 }
      !inside { print; fflush() }
      inside { lines[count++] = $0 }
      inside && /^[*]+$/ {
        inside = 0
        print lines[0]
        for (i = count > most ? count - most : 1; i < count; ++i)
          print lines[i]
        fflush()
      }
      END { if (inside) for (i = 0; i < count; ++i) print lines[i] }' || true
}

fuzz() {
  if run test/fuzz/fuzz.sh --inputs "$fuzz_inputs"; then
    echo fuzzer >>"$results/passed.txt"
  else
    echo fuzzer >>"$results/failed.txt"
  fi
}

run scripts/install-deps.sh
# A browser for pages; their tests are skipped if it is not available.
run scripts/install-deps.sh chromium ||
  echo "test.sh: no chromium: pages are not opened in a browser" >&2
# mkdocs, for the site of the pages.
scripts/make-docs.sh ||
  echo "test.sh: no mkdocs: the site is not built" >&2
# JAX in environments that Debian's Python creates with this package.
{ run scripts/install-deps.sh python3-venv && run scripts/make-jax.sh; } ||
  echo "test.sh: no JAX: its tests are skipped" >&2
rm -rf "$results"
mkdir -p "$results"

# Device kernels are compiled if there is nvcc; tests need one architecture.
kernels=
if command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
  kernels=-DMOERT_CUDA_ARCHITECTURES=90
fi

# Prints a regular expression for the tests that a run of lit has skipped.
skipped_by() {
  python3 -c '
import json, pathlib, re, sys
path = pathlib.Path(sys.argv[1])
tests = json.loads(path.read_text())["tests"] if path.exists() else []
print("|".join(re.escape(t["name"]) + "$" for t in tests
               if t["code"] in ("UNSUPPORTED", "SKIPPED")) or "no such test")
' "$results/$1.json"
}

# A failure must not end the script: the summary counts it.
phase "build ci" build ci "${full:+UnitTests}" ${kernels:+"$kernels"}
phase "build asan" build asan UnitTests ${kernels:+"$kernels"}

# The fuzzer and the unit tests run concurrently with lit, because some of its
# tests only wait.
{
  phase "fuzzer" fuzz
  phase "unit asan" run_lit asan-unit build/asan/test/Unit -j 1
} >"$results/beside.log" 2>&1 &
beside=$!
if [[ $full ]]; then
  phase "lit asan" run_lit asan build/asan/test --filter-out "$unsanitized"
  phase "lit" run_lit lit build/ci/test -j "$((jobs + 1))"
  phase "unit" run_lit unit build/ci/test/Unit
else
  phase "lit asan" run_lit asan build/asan/test --filter "$sanitized"
  phase "lit" run_lit lit build/ci/test -j "$((jobs + 1))" \
    --filter "^(?!.*($sanitized))|$(skipped_by asan)"
fi
wait "$beside"
cat "$results/beside.log"

python3 - "$results" "$full" <<'PYTHON'
import json
import pathlib
import sys

# Result codes of lit; every other code (FAIL, XPASS, UNRESOLVED, TIMEOUT, ...)
# is a failure.
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}

results, full = pathlib.Path(sys.argv[1]), bool(sys.argv[2])
codes = []
for name, code in [("passed.txt", "PASS"), ("failed.txt", "FAIL")]:
    if (results / name).exists():
        codes += [(line, code)
                  for line in (results / name).read_text().splitlines()]
phases = [line.rsplit(" ", 2)
          for line in (results / "times.txt").read_text().splitlines()]
for name in ["lit", "asan", "asan-unit"] + ["unit"] * full:
    path = results / f"{name}.json"
    # lit writes no file if it could not start, which is a failure, too.
    tests = json.loads(path.read_text())["tests"] if path.exists() else []
    # A test excluded by --filter-out was not requested, so it is not skipped.
    # By default release runs the tests that the sanitizers skip.
    tests = [(f"{name}: {t['name']}", t["code"]) for t in tests
             if t["code"] != "EXCLUDED"
             and not (name == "asan" and not full and t["code"] in SKIPPED)]
    if not tests:
        tests = [(f"{name}: no test ran", "FAIL")]
    codes += tests

print(f"{'':10} {'wall s':>7} {'CPU s':>7}")
for name, wall, cpu in phases:
    print(f"{name:10} {wall:>7} {cpu:>7}")
print(f"{'all CPU':10} {'':7} {sum(int(cpu) for _, _, cpu in phases):>7}")
passed = [name for name, code in codes if code in PASSED]
skipped = [name for name, code in codes if code in SKIPPED]
failed = [name for name, code in codes if code not in PASSED | SKIPPED]
for name in skipped:
    print(f"skipped: {name}")
for name in failed:
    print(f"failed: {name}")
print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
sys.exit(1 if failed else 0)
PYTHON
