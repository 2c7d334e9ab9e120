// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the time to choose a degree.
//
// Prints a table in Markdown of times over FSMoE's configurations (SPEC FS-10),
// and the gains of better orders and unequal chunks. If a file is named, writes
// the cases and our answers there, for the comparison with other solvers in
// solvers.py. Exit code 1 if the median choice takes longer than the bound.

#include "FSMoECases.h"
#include "moe/Platform/Load.h"
#include "moe/Platform/Lookup.h"
#include "moe/Schedule/ChunkSizes.h"
#include "moe/Schedule/MachinePhase.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace moe;
using namespace moe::schedule;

static constexpr double kMostUsPerChoice = 10;
static constexpr int64_t kMaxDegree = 16;

/// Keeps the result of a call alive, so that the call is not optimized away.
static volatile double sink;

/// Times of one kind of call, one per case.
struct Times {
  std::vector<double> us;

  /// Adds the mean time of as many calls as fill 50 us.
  template <typename Function> void add(Function &&call) {
    auto start = std::chrono::steady_clock::now();
    int calls = 0;
    std::chrono::duration<double, std::micro> spent{0};
    while (spent.count() < 50) {
      call();
      ++calls;
      spent = std::chrono::steady_clock::now() - start;
    }
    us.push_back(spent.count() / calls);
  }
  double getMedian() {
    std::sort(us.begin(), us.end());
    return us[us.size() / 2];
  }
  void print(const char *what) {
    double median = getMedian();
    std::printf("| %s | %.2f us | %.2f us | %.2f us | %zu |\n", what, median,
                us[us.size() * 99 / 100], us.back(), us.size());
  }
};

/// A mean and a maximum, in percent.
struct Gain {
  double sum = 0, most = 0;
  int64_t count = 0, above = 0;

  void add(double ratio) {
    sum += ratio - 1;
    most = std::max(most, ratio - 1);
    above += ratio > 1 + 1e-9;
    ++count;
  }
  void print(const char *what) const {
    std::printf("| %s | %.3f %% | %.2f %% | %ld of %ld |\n", what,
                100 * sum / double(count), 100 * most, long(above),
                long(count));
  }
};

static void writeCase(std::FILE *file, const FSMoECase &each,
                      const DegreePlan &plan) {
  const LinearPhase &phase = each.phase;
  std::fprintf(file, "%s", each.testbed->name);
  for (const LinearTime &time : {phase.dispatch, phase.allGather, phase.experts,
                                 phase.reduceScatter, phase.combine})
    std::fprintf(file, ",%.17g,%.17g", time.alphaUs, time.slopeUs);
  std::fprintf(file, ",%.17g,%ld", each.gradientUs, long(plan.degree));
  for (const DegreeTime &time : plan.byDegree)
    std::fprintf(file, ",%.17g", time.timeUs);
  std::fprintf(file, "\n");
}

static platform::Platform load(const char *name) {
  if (auto loaded = platform::findAndLoadPlatform(name, "platform"))
    return *loaded;
  std::fprintf(stderr, "degree: error: expected the platform %s\n", name);
  std::exit(2);
}

int main(int argc, char **argv) {
  std::FILE *cases = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 2 || (argc == 2 && !cases)) {
    std::fprintf(stderr,
                 "usage: moe-bench-degree [FILE that can be written]\n");
    return 2;
  }
  const platform::Platform platforms[] = {load("fsmoe-a"), load("fsmoe-b")};
  DegreePlanner planner;
  BeamSearch search, narrow(16);
  Times linear, machine, whole, closedForm, order, sizes;
  Gain orderGain, sizeGain, gap;
  int64_t index = 0;
  forEachFSMoECase([&](const FSMoECase &each) {
    auto plan = [&](const LayerPhase &phase) {
      return planner.plan(phase, kMaxDegree, each.gradientUs);
    };
    linear.add([&] { sink = plan(each.phase).timeUs; });
    closedForm.add([&] {
      sink = minimizeClosedForm(each.phase, kMaxDegree, each.gradientUs)
                 .form.timeUs;
    });
    auto create = [&] {
      return MachinePhase::create(platforms[each.testbed - kTestbeds].machine,
                                  each.shape, each.which,
                                  cost::BytesPerElement(4));
    };
    auto phase = create();
    machine.add([&] { sink = plan(*phase).timeUs; });
    DegreePlan degrees = plan(each.phase);
    DegreeOrderPlan best;
    order.add([&] { best = search.run(degrees, each.gradientUs); });
    orderGain.add(degrees.timeUs / best.plan.timeUs);
    gap.add(best.plan.timeUs / best.lowerBoundUs);
    if (cases)
      writeCase(cases, each, degrees);
    // Measures the slow searches on a subset.
    if (index++ % 7 != 0)
      return;
    whole.add([&] { sink = plan(*create()).timeUs; });
    ChunkSizePlan unequal;
    sizes.add([&] {
      unequal =
          findChunkSizes(each.phase, best.degree, 64, each.gradientUs, narrow);
    });
    sizeGain.add(best.plan.timeUs /
                 std::min(best.plan.timeUs, unequal.plan.timeUs));
  });
  if (cases && std::fclose(cases) != 0) {
    std::fprintf(stderr, "degree: error: %s: expected to write it\n", argv[1]);
    return 2;
  }

  std::printf("| what | median | 99 %% | worst | cases |\n"
              "|---|---|---|---|---|\n");
  double medianUs = linear.getMedian();
  linear.print("choose a degree, linear times");
  double machineUs = machine.getMedian();
  machine.print("choose a degree, a platform's costs");
  whole.print("the same with the platform's groups and links");
  closedForm.print("minimum of the closed forms");
  order.print("best order over all degrees");
  sizes.print("unequal chunks at the best degree");
  std::printf("\n| gain | mean | most | cases |\n|---|---|---|---|\n");
  orderGain.print("best order over FSMoE's, each at its best degree");
  sizeGain.print("unequal chunks over the best order of equal ones");
  gap.print("best order above the lower bound");
  if (std::max(medianUs, machineUs) > kMostUsPerChoice) {
    std::fprintf(stderr,
                 "degree: error: expected a choice in at most %.0f us, got "
                 "%.1f us\n",
                 kMostUsPerChoice, std::max(medianUs, machineUs));
    return 1;
  }
}
