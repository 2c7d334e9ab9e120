#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests: lit tests,
# unit tests, and a short run of the fuzzer under sanitizers. The last line is
#
#   N passed, M failed, K skipped
#
# and the exit code is 0 only if none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fuzz_inputs=60000
jobs=$(nproc)
results=build/test-results

run() {
  echo "+ $*" >&2
  "$@"
}

build() {
  run cmake --preset "$1" && run cmake --build --preset "$1" -j "$jobs" ||
    echo "build of the preset $1" >>"$results/failed.txt"
}

# Runs lit tests: `NAME FOLDER [OPTION...]`. Of a test that fails the last lines
# are shown here; everything is in NAME.log.
run_lit() {
  local name=$1 folder=$2
  shift 2
  run lit-22 -v -o "$results/$name.json" "$@" "$folder" 2>&1 |
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

run scripts/install-deps.sh
# A browser for pages; their tests are skipped where it cannot be had.
run scripts/install-deps.sh chromium ||
  echo "test.sh: no chromium: pages are not opened in a browser" >&2
# JAX, likewise, in environments that Debian's Python makes with this package.
{ run scripts/install-deps.sh python3-venv && run scripts/make-jax.sh; } ||
  echo "test.sh: no JAX: its tests are skipped" >&2
rm -rf "$results"
mkdir -p "$results"

# What fails must not end the script: the summary counts it.
build ci
# Some tests wait for time to pass.
run_lit lit build/release/test -j "$((jobs + 1))"
run_lit unit build/release/test/Unit

# Once more under the sanitizers. Left out is what runs no code of ours or
# cannot be sanitized (a plugin in the stock mlir-opt), and the proofs, which
# take minutes there: the fuzzer proves what passes make, too. Of the models that
# run as on GPUs one is enough.
build asan
run_lit asan build/asan/test \
  --filter-out '(docs|install|plugin|runtime|proofs|Random|fuzz|report)/|jax/(dump|execute|published-execute|styles)|stand-ins-configs/(?!mixtral-8x7b)'
run_lit asan-unit build/asan/test/Unit
if run test/fuzz/fuzz.sh --inputs "$fuzz_inputs"; then
  echo fuzzer >"$results/passed.txt"
else
  echo fuzzer >>"$results/failed.txt"
fi

python3 - "$results" <<'PYTHON'
import json
import pathlib
import sys

# Result codes of lit; every other code (FAIL, XPASS, UNRESOLVED, TIMEOUT, ...)
# is a failure.
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}

results = pathlib.Path(sys.argv[1])
codes = []
for name, code in [("passed.txt", "PASS"), ("failed.txt", "FAIL")]:
    if (results / name).exists():
        codes += [(line, code)
                  for line in (results / name).read_text().splitlines()]
for name in ["lit", "unit", "asan", "asan-unit"]:
    path = results / f"{name}.json"
    # lit writes no file when it could not start: that is a failure too.
    tests = json.loads(path.read_text())["tests"] if path.exists() else []
    # A test left out by --filter-out was not asked for: it is not skipped.
    tests = [(f"{name}: {t['name']}", t["code"]) for t in tests
             if t["code"] != "EXCLUDED"]
    if not tests:
        tests = [(f"{name}: no test ran", "FAIL")]
    codes += tests

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
