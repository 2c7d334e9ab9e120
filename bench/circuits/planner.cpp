// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures quality and speed of circuit plans.
//
//   moe-bench-circuits [COUNTS]
//
// Plans for the demands that the unit tests draw. Compares plans for 8 servers
// with the least time over all circuits (SPEC MF-5), and plans for more servers
// with Algorithm 1 (SPEC MF-2). COUNTS holds one more demand of 8 servers: 64
// numbers, row by row. Prints Markdown. Exit code 1 if a bound below is
// violated.

#include "JointOptimum.h"
#include "Regions.h"
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

using namespace moe;
using namespace moe::fabric;

namespace {

/// mFabric's servers: 6 NICs on circuits, 2 on packets.
const Ports kPorts{6, 2, Routing::Split};

/// Returns the CPU time of this thread in us. A plan waits for nothing, and
/// other processes on the machine must not count.
double getUs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

struct Timed {
  CircuitPlan plan;
  double us;
};

Timed plan(const Demand &demand, Effort effort) {
  PlanOptions options;
  options.effort = effort;
  double start = getUs();
  auto made = planCircuits({{demand, 1}}, kPorts, options);
  double us = getUs() - start;
  if (!made) {
    std::fprintf(stderr, "moe-bench-circuits: %s\n", made.getError().c_str());
    std::exit(2);
  }
  return {*made, us};
}

/// A sample of many values.
struct Sample {
  void add(double value) { values.push_back(value); }
  double getMedian() {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }
  double getWorst() const {
    return *std::max_element(values.begin(), values.end());
  }
  double getMean() const {
    double sum = 0;
    for (double value : values)
      sum += value;
    return sum / double(values.size());
  }

  std::vector<double> values;
};

/// Planning times in us, and ratios of the plans' exchange times to the least
/// time over all circuits.
struct Plans {
  Sample us, ratio;
};

/// Plans for demands; returns true if the plans satisfy the bounds.
bool compare(const char *name, const std::vector<Demand> &demands,
             double fastMean) {
  Plans fast, thorough;
  Sample greedy;
  // Plans each demand once before repeating any: a repeated plan is faster
  // because the processor has learned its branches, but no program plans the
  // same demand twice.
  std::vector<Timed> quick;
  for (const Demand &demand : demands)
    quick.push_back(plan(demand, Effort::Fast));
  for (size_t k = 0; k < demands.size(); ++k) {
    const Demand &demand = demands[k];
    Timed ours = plan(demand, Effort::Thorough);
    // No circuits are faster by more than a thousandth.
    JointOptimum optimum = findJointOptimum(demand, kPorts, ours.plan.time,
                                            /*mostBranches=*/20000);
    thorough.us.add(ours.us);
    thorough.ratio.add(ours.plan.time / optimum.found);
    greedy.add(ours.plan.greedyTime / optimum.found);
    fast.us.add(quick[k].us);
    fast.ratio.add(quick[k].plan.time / optimum.found);
  }
  double fastUs = fast.us.getMedian(), thoroughMs = thorough.us.getMedian() / 1e3;
  std::printf("| %s | %zu | %.1f | %.3f | %.3f | %.2f | %.2f | %.3f | %.3f | "
              "%.3f | %.3f |\n",
              name, demands.size(), fastUs, fast.ratio.getMean(),
              fast.ratio.getWorst(), thoroughMs, thorough.us.getWorst() / 1e3,
              thorough.ratio.getMean(), thorough.ratio.getWorst(),
              greedy.getMean(), greedy.getWorst());
  return fastUs <= 50 && thoroughMs <= 20 && fast.ratio.getMean() <= fastMean &&
         fast.ratio.getWorst() <= 1.2 && thorough.ratio.getMean() <= 1.01 &&
         thorough.ratio.getWorst() <= 1.15;
}

/// Plans for many servers with lognormal demand.
bool scale(int64_t servers, int trials, double mostMs) {
  std::mt19937 random(9);
  Sample ms, overGreedy;
  for (int trial = 0; trial < trials; ++trial) {
    Timed ours = plan(draw(random, servers, Kind::Lognormal), Effort::Thorough);
    ms.add(ours.us / 1e3);
    overGreedy.add(ours.plan.time / ours.plan.greedyTime);
  }
  double median = ms.getMedian();
  std::printf("| %lld | %d | %.2f | %.2f | %.0f | %.3f | %.3f |\n",
              static_cast<long long>(servers), trials, median, ms.getWorst(),
              mostMs, overGreedy.getMean(), overGreedy.getWorst());
  return median <= mostMs && overGreedy.getWorst() <= 1;
}

} // namespace

int main(int argc, char **argv) {
  std::printf(
      "| demand | plans | fast us | mean | worst | thorough ms | longest ms | "
      "mean | worst | greedy mean | worst |\n|-|-|-|-|-|-|-|-|-|-|-|\n");
  bool holds = true;
  struct {
    const char *name;
    Kind kind;
    double fastMean;
  } kinds[] = {{"lognormal", Kind::Lognormal, 1.04},
               {"Zipf", Kind::Zipf, 1.01},
               {"elephants", Kind::Elephants, 1.01}};
  std::mt19937 random(5);
  for (auto &[name, kind, fastMean] : kinds) {
    std::vector<Demand> demands;
    for (int trial = 0; trial < 200; ++trial)
      demands.push_back(draw(random, 8, kind));
    holds &= compare(name, demands, fastMean);
  }
  if (argc > 1) {
    std::ifstream file(argv[1]);
    Demand demand(8);
    for (int64_t k = 0; k < 64; ++k) {
      double number = 0;
      if (!(file >> number)) {
        std::fprintf(stderr, "moe-bench-circuits: expected 64 numbers in %s\n",
                     argv[1]);
        return 2;
      }
      if (k / 8 != k % 8)
        demand.at(k / 8, k % 8) = number;
    }
    holds &= compare("counts given", {demand}, 1.01);
  }
  std::printf("\n| servers | plans | thorough ms | longest ms | at most | over "
              "greedy, mean | worst |\n|-|-|-|-|-|-|-|\n");
  holds &= scale(64, 21, 20);
  holds &= scale(512, 5, 2000);
  return holds ? 0 : 1;
}
