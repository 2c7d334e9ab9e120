#!/usr/bin/env bash
# Measures the planner of circuits: the ratio of its plans to the least time
# over all circuits, and the planning time.
#
#   bench/circuits/planner.sh [name]   writes bench/results/circuits-planner-<name>.md
#
# Requires the target moe-bench-circuits; BUILD is its build folder (default:
# build/release), COUNTS an optional JSON file with a "matrix" of 8 servers to
# plan for. Exit code 1 if a bound in planner.cpp is violated.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
name="${1:-local}"
build="${BUILD:-build/release}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
load="$(cut -d' ' -f1 /proc/loadavg)"
counts=()
if [[ -n ${COUNTS:-} ]]; then
  python3 -c 'import json, sys
for row in json.load(open(sys.argv[1]))["matrix"]:
    print(*row)' "$COUNTS" > "$work/counts"
  counts=("$work/counts")
fi
code=0
"$build/bin/moe-bench-circuits" ${counts[@]+"${counts[@]}"} > "$work/plans.md" || code=$?
((code < 2)) || exit "$code"
model="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
cat > "bench/results/circuits-planner-$name.md" <<END
# The planner of circuits

Written by \`bench/circuits/planner.sh $name\`. Machine: ${model:-unknown},
$(nproc) cores; load average before the run $load. Demands are those that the unit tests
draw; servers have 6 NICs on circuits and 2 on packets, and a pair may use both.

8 servers. Times of exchanges are over the least that any circuits have, found to a
thousandth; "fast" is the search that programs run between two layers, "thorough"
what \`moe-fabric circuits\` and the compiler run, "greedy" mFabric's Algorithm 1 that
goes on past full servers. Times are what a processor works on a plan, each demand
planned for once, in the median over demands; asked for are at most 50 us and 20 ms.

$(head -n -4 "$work/plans.md")

More servers, lognormal demand, thorough, over the time of the greedy plan:

$(tail -n 4 "$work/plans.md")
END
cat "bench/results/circuits-planner-$name.md"
exit "$code"
