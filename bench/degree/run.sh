#!/usr/bin/env bash
# Measures the choice of a pipeline degree, compared with SciPy's and NLopt's
# SLSQP if Python has them (pip install scipy nlopt).
#
#   bench/degree/run.sh [name]     writes bench/results/degree-<name>.md
#
# Requires the target moe-bench-degree; BUILD is its build folder (default:
# build/release), PYTHON the interpreter. Exit code 1 if the median choice takes
# longer than the bound in degree.cpp.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
name="${1:-local}"
build="${BUILD:-build/release}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
load="$(cut -d' ' -f1 /proc/loadavg)"
"$build/bin/moe-bench-degree" "$work/cases.csv" > "$work/ours.md"
"${PYTHON:-python3}" bench/degree/solvers.py "$work/cases.csv" \
  > "$work/solvers.md"
model="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
cat > "bench/results/degree-$name.md" <<END
# The choice of a pipeline degree

Written by \`bench/degree/run.sh $name\`. Machine: ${model:-unknown}, $(nproc)
cores; load average before the run $load. FSMoE's 486 distinct configurations on
two testbeds, forward and backward, with no, half and all gradients of an
attention block: 5832 cases, degrees 1 to 16. A choice by one platform's costs
is expected within 10 us in the median.

$(cat "$work/ours.md")

SLSQP on FSMoE's closed forms, as its algorithm 1 has it: eight problems a
choice, from degree 4 on, the integers on both sides of the result tried, every
seventh case. Worse means: slower in the exact simulation of FSMoE's order than
the degree that ours chooses. The time is of the solver called from Python.

$(cat "$work/solvers.md")
END
cat "bench/results/degree-$name.md"
