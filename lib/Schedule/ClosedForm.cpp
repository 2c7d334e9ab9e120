// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FSMoE's closed-form times of layers.

#include "moe/Schedule/ClosedForm.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace moe::schedule;

ClosedForm moe::schedule::getClosedForm(const ChunkTimes &chunk, int64_t degree,
                                        double gradientUs) {
  // The variables of SPEC FS-4.
  double r = double(degree);
  double x = (chunk.dispatchUs + chunk.combineUs) / 2;
  double g = chunk.allGatherUs, s = chunk.reduceScatterUs;
  double c = chunk.expertsUs, G = gradientUs;
  if (x > g) {
    bool q2 = r * c > 2 * (r - 1) * x;
    bool q4 = G > g + s;
    bool q5 = G > r * c - 2 * (r - 1) * x + g + s;
    if (q2 ? q5 : q4)
      return {ClosedFormCase::AllToAllAndGradient, 2 * r * x + G};
    if (q2)
      return {ClosedFormCase::Experts, 2 * x + g + s + r * c};
    return {ClosedFormCase::AllToAll, 2 * r * x + g + s};
  }
  bool q3 = r * c > (r - 1) * (g + s);
  bool q6 = G > r * g + r * s - 2 * (r - 1) * x;
  bool q7 = G > r * c - 2 * (r - 1) * x + g + s;
  if (q3 ? q7 : q6)
    return {ClosedFormCase::AllToAllAndGradient, 2 * r * x + G};
  if (q3)
    return {ClosedFormCase::Experts, 2 * x + g + s + r * c};
  return {ClosedFormCase::IntraNode, 2 * x + r * (g + s)};
}

namespace {

/// Ends of intervals of degrees; the questions change sign only there.
class Breakpoints {
public:
  Breakpoints(int64_t maxDegree) : most(double(maxDegree)) {
    points[0] = 1;
    points[1] = most;
  }

  /// Adds the roots of a r^2 + b r + c within the range of degrees.
  void addRoots(double a, double b, double c) {
    if (a == 0) {
      if (b != 0)
        add(-c / b);
      return;
    }
    double discriminant = b * b - 4 * a * c;
    if (discriminant < 0)
      return;
    // This avoids the cancellation of the usual formula.
    double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    add(q / a);
    if (q != 0)
      add(c / q);
  }

  std::span<const double> getSorted() {
    std::sort(points.begin(), points.begin() + count);
    return std::span(points).first(count);
  }

private:
  void add(double root) {
    if (root > 1 && root < most)
      points[count++] = root;
  }

  double most;
  /// Both ends, one root for each of Q1 and Q4, and two for each of Q2, Q3, Q5
  /// and Q6.
  std::array<double, 12> points;
  size_t count = 2;
};

} // namespace

ClosedFormChoice moe::schedule::minimizeClosedForm(const LinearPhase &phase,
                                                   int64_t maxDegree,
                                                   double gradientUs) {
  // Alpha and whole slope of each operation; a chunk takes alpha + slope / r.
  double ax = (phase.dispatch.alphaUs + phase.combine.alphaUs) / 2;
  double nx = (phase.dispatch.slopeUs + phase.combine.slopeUs) / 2;
  double ag = phase.allGather.alphaUs, ng = phase.allGather.slopeUs;
  double as = phase.reduceScatter.alphaUs, ns = phase.reduceScatter.slopeUs;
  double ac = phase.experts.alphaUs, nc = phase.experts.slopeUs;
  double G = gradientUs;

  // Each question is "polynomial > 0", multiplied by r.
  Breakpoints breakpoints(maxDegree);
  // Q1: x > g.
  breakpoints.addRoots(0, ax - ag, nx - ng);
  // Q4: G > g + s.
  breakpoints.addRoots(0, G - ag - as, -ng - ns);
  // Q2: r c > 2 (r - 1) x.
  breakpoints.addRoots(ac - 2 * ax, nc - 2 * nx + 2 * ax, 2 * nx);
  // Q3: r c > (r - 1) (g + s).
  breakpoints.addRoots(ac - (ag + as), nc - (ng + ns) + (ag + as), ng + ns);
  // Q5 and Q7: G > r c - 2 (r - 1) x + g + s.
  breakpoints.addRoots(2 * ax - ac, G - nc + 2 * nx - 2 * ax - ag - as,
                       -2 * nx - ng - ns);
  // Q6: G > r (g + s) - 2 (r - 1) x.
  breakpoints.addRoots(2 * ax - ag - as, G - ng - ns + 2 * nx - 2 * ax,
                       -2 * nx);

  ClosedFormChoice best;
  best.form = getClosedForm(phase.getTimes(1), 1, G);
  auto attempt = [&](int64_t degree) {
    ClosedForm form =
        getClosedForm(phase.getTimes(1 / double(degree)), degree, G);
    if (form.timeUs < best.form.timeUs ||
        (form.timeUs == best.form.timeUs && degree < best.degree))
      best = {degree, form};
  };
  std::span<const double> points = breakpoints.getSorted();
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    double from = points[i], to = points[i + 1];
    int64_t first = int64_t(std::ceil(from)), last = int64_t(std::floor(to));
    if (first > last)
      continue;
    // The case of the inner integers. The integers at the ends of the interval
    // may belong to a neighbor and are tried separately.
    attempt(first);
    attempt(last);
    double middle = double((first + last) / 2);
    double a = 0, b = 0;
    switch (
        getClosedForm(phase.getTimes(1 / middle), int64_t(middle), G).which) {
    case ClosedFormCase::AllToAllAndGradient:
      continue; // grows with the degree
    case ClosedFormCase::Experts:
      a = ac, b = 2 * nx + ng + ns;
      break;
    case ClosedFormCase::AllToAll:
      a = 2 * ax, b = ng + ns;
      break;
    case ClosedFormCase::IntraNode:
      a = ag + as, b = 2 * nx;
      break;
    }
    // Without an alpha, the minimum is at the largest degree, which was already
    // tried.
    double least = a > 0 ? std::sqrt(b / a) : to;
    least = std::clamp(least, double(first), double(last));
    attempt(int64_t(std::floor(least)));
    attempt(int64_t(std::ceil(least)));
  }
  return best;
}
