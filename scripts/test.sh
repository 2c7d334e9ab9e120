#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests: lit tests,
# unit tests, and a short run of the fuzzer under sanitizers. The last line is
#
#   N passed, M failed, K skipped
#
# and the exit code is 0 only if none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fuzz_seconds=60
jobs=$(nproc)
results=build/test-results

run() {
  echo "+ $*" >&2
  "$@"
}

run scripts/install-deps.sh
rm -rf "$results"
mkdir -p "$results"

run cmake --preset ci
run cmake --build --preset ci -j "$jobs"

# A failing test must not end the script: the summary counts it.
run lit-22 -v -o "$results/lit.json" build/release/test || true
run lit-22 -v -o "$results/unit.json" build/release/test/Unit || true

# Sanitizers slow a build down, so only the fuzzer and the tool that parses
# are built with them; the dialect's tests then run once more.
run cmake --preset asan
run cmake --build --preset asan -j "$jobs" --target moe-opt moe-fuzz
run lit-22 -v -o "$results/asan.json" --filter '(^| )IR/' build/asan/test ||
  true
if run test/fuzz/fuzz.sh "$fuzz_seconds"; then
  echo PASS >"$results/fuzz.txt"
else
  echo FAIL >"$results/fuzz.txt"
fi

python3 - "$results" <<'PYTHON'
import json
import pathlib
import sys

# Result codes of lit; every other code (FAIL, XPASS, UNRESOLVED, TIMEOUT, ...)
# is a failure.
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}

results = pathlib.Path(sys.argv[1])
codes = [("fuzzer", (results / "fuzz.txt").read_text().strip())]
for name in ["lit", "unit", "asan"]:
    path = results / f"{name}.json"
    # lit writes no file when it could not start: that is a failure too.
    tests = json.loads(path.read_text())["tests"] if path.exists() else []
    # A test left out by --filter was not asked for: it is not a skipped one.
    tests = [(t["name"], t["code"]) for t in tests
             if not (name == "asan" and t["code"] == "EXCLUDED")]
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
