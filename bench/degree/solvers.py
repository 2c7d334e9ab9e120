#!/usr/bin/env python3
"""Compares pipeline degrees by SLSQP, as in FSMoE, with ours.

usage: solvers.py CASES      where moe-bench-degree has written CASES

FSMoE's algorithm 1 minimizes each of four formulas over real degrees under the
conditions of its case, and takes the least. Conditions joined by "or" are
separate problems, which makes eight. Degrees are in [1, 16] and start at START;
the formula selects the better of the two integers around the result, which is
then timed exactly. Prints a table in Markdown. A solver that is not installed
is left out, with the reason.
"""

import csv
import math
import statistics
import sys
import time

MOST = 16.0
START = 4.0
# Solvers are slow, so only some cases are used.
EVERY = 7
# Tolerated violation of conditions, relative to the times in them.
TOLERANCE = 1e-6


class Case:
    def __init__(self, row):
        numbers = [float(text) for text in row[1:]]
        (self.dispatch, self.gather, self.experts, self.scatter,
         self.combine) = [tuple(numbers[i:i + 2]) for i in range(0, 10, 2)]
        self.gradient = numbers[10]
        self.degree = int(numbers[11])
        self.exact = numbers[12:]

    def times(self, r):
        x = sum(a + b / r for a, b in (self.dispatch, self.combine)) / 2
        return (x, self.gather[0] + self.gather[1] / r,
                self.experts[0] + self.experts[1] / r,
                self.scatter[0] + self.scatter[1] / r)

    def questions(self, r):
        """Q1 to Q7: values above 0 mean yes."""
        x, g, c, s = self.times(r)
        G = self.gradient
        q5 = G - (r * c - 2 * (r - 1) * x + g + s)
        return (x - g, r * c - 2 * (r - 1) * x, r * c - (r - 1) * (g + s),
                G - (g + s), q5, G - (r * g + r * s - 2 * (r - 1) * x), q5)

    def formula(self, which, r):
        x, g, c, s = self.times(r)
        return (2 * r * x + self.gradient, 2 * x + g + s + r * c,
                2 * r * x + g + s, 2 * x + r * (g + s))[which - 1]

    def by_formula(self, r):
        q = [value > 0 for value in self.questions(r)]
        for which, conditions in PROBLEMS:
            if all(q[abs(n) - 1] == (n > 0) for n in conditions):
                return self.formula(which, r)
        raise AssertionError("no case holds")


# The case, and which questions must be answered yes (n) or no (-n).
PROBLEMS = ((1, (1, -2, 4)), (1, (1, 2, 5)), (1, (-1, -3, 6)), (1, (-1, 3, 7)),
            (2, (1, 2, -5)), (2, (-1, 3, -7)), (3, (1, -2, -4)),
            (4, (-1, -3, -6)))


def with_scipy():
    import scipy
    from scipy.optimize import minimize

    def solve(case, which, conditions, scale):
        constraints = [
            {"type": "ineq",
             "fun": lambda v, n=n: math.copysign(1, n)
             * case.questions(float(v[0]))[abs(n) - 1] / scale}
            for n in conditions]
        result = minimize(lambda v: case.formula(which, float(v[0])) / scale,
                          [START], method="SLSQP", bounds=[(1.0, MOST)],
                          constraints=constraints)
        return float(result.x[0])

    return f"SciPy {scipy.__version__}, SLSQP", solve


def with_nlopt():
    import nlopt

    def derive(function, r):
        step = 1e-6 * max(1.0, r)
        return (function(r + step) - function(r - step)) / (2 * step)

    def solve(case, which, conditions, scale):
        problem = nlopt.opt(nlopt.LD_SLSQP, 1)
        problem.set_lower_bounds([1.0])
        problem.set_upper_bounds([MOST])

        def wrap(function):
            def call(v, gradient):
                if gradient.size:
                    gradient[0] = derive(function, float(v[0]))
                return function(float(v[0]))
            return call

        problem.set_min_objective(
            wrap(lambda r: case.formula(which, r) / scale))
        for n in conditions:
            problem.add_inequality_constraint(
                wrap(lambda r, n=n: -math.copysign(1, n)
                     * case.questions(r)[abs(n) - 1] / scale), 1e-8)
        problem.set_ftol_rel(1e-8)
        problem.set_maxeval(200)
        try:
            return float(problem.optimize([START])[0])
        except Exception:  # its own classes differ by version
            return None

    version = ".".join(str(part) for part in
                       (nlopt.version_major(), nlopt.version_minor(),
                        nlopt.version_bugfix()))
    return f"NLopt {version}, LD_SLSQP", solve


def choose(case, solve):
    """The degree by one solver; none if no problem has a solution."""
    scale = case.by_formula(1.0)
    best = None
    for which, conditions in PROBLEMS:
        r = solve(case, which, conditions, scale)
        if r is None or not math.isfinite(r):
            continue
        r = min(max(r, 1.0), MOST)
        q = case.questions(r)
        if any(math.copysign(1, n) * q[abs(n) - 1] < -TOLERANCE * scale
               for n in conditions):
            continue
        us = case.formula(which, r)
        if best is None or us < best[0]:
            best = (us, r)
    if best is None:
        return None
    return min((math.floor(best[1]), math.ceil(best[1])), key=case.by_formula)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: solvers.py CASES")
    with open(sys.argv[1], newline="") as file:
        cases = [Case(row) for row in list(csv.reader(file))[::EVERY]]
    print("| solver | median of a choice | worse than ours | no answer | mean "
          "loss where worse | worst loss |")
    print("|---|---|---|---|---|---|")
    missing = []
    for load in (with_scipy, with_nlopt):
        try:
            name, solve = load()
        except ImportError as error:
            missing.append(f"{load.__name__[5:]} was not measured: {error}")
            continue
        spent, losses, none = [], [], 0
        for case in cases:
            start = time.perf_counter()
            degree = choose(case, solve)
            spent.append(time.perf_counter() - start)
            if degree is None:
                none += 1
                continue
            loss = case.exact[degree - 1] / case.exact[case.degree - 1] - 1
            if loss > 1e-9:
                losses.append(loss)
        print(f"| {name} | {1e6 * statistics.median(spent):.0f} us | "
              f"{len(losses)} of {len(cases)} | {none} | "
              f"{100 * statistics.mean(losses or [0]):.2f} % | "
              f"{100 * max(losses or [0]):.2f} % |")
    for line in missing:
        print(f"\n{line}")


if __name__ == "__main__":
    main()
