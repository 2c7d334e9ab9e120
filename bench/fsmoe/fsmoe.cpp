// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FSMoE's comparison of schedules.
//
// Predicts a training step of FSMoE's 1458 configurations (SPEC FS-10) on both
// of its testbeds (SPEC FS-9) in the schedules of SPEC FS-11. Prints the
// speedup of each over Tutel's and FSMoE's published figures in Markdown, or
// the number of configurations whose directions prefer different degrees. Exit
// code 1 if `best` is slower than `fsmoe` in any configuration.

#include "TrainingStep.h"
#include "moe/Platform/Load.h"
#include "moe/Platform/Lookup.h"
#include "moe/Schedule/DegreePlanner.h"
#include "moe/Schedule/MachinePhase.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace moe;
using namespace moe::schedule;

namespace {

/// Assumptions about details that the paper leaves open.
struct Options {
  /// Number of layers of a network, all alike.
  int64_t layers = 12;
  /// Counts the all-gather and reduce-scatter of tensor parallelism around
  /// attention.
  bool countsTensorParallel = true;
  /// Slowdown of collectives in the schedules that overlap intra-node and
  /// inter-node collectives.
  double slowdown = 1;
  /// Counts configurations whose directions prefer different degrees instead.
  bool countsDegrees = false;
};

/// FSMoE's Table 5: speedups over Tutel, for the schedules that it lists.
struct Published {
  StepSchedule schedule;
  double a, b;
};
constexpr Published kPublished[] = {{StepSchedule::TutelImproved, 1.09, 1.08},
                                    {StepSchedule::FSMoENoIIO, 1.12, 1.16},
                                    {StepSchedule::FSMoE, 1.18, 1.22}};

/// Bytes per element of SPEC FS-9.
constexpr double kElementBytes = 4;

/// A testbed with models of the work around MoE layers, in us per element or
/// multiply-accumulate.
struct Testbed {
  cost::Machine machine;
  LinearTime allGather, reduceScatter, allReduce, gemm;
  int64_t ranksPerNode = 1, shortestSequence = 1;
};

struct Totals {
  double speedup[kNumStepSchedules] = {}, least[kNumStepSchedules] = {},
         most[kNumStepSchedules] = {};
  double gap = 0, worstGap = 0, gain = 0, bestGain = 0;
  int64_t configurations = 0, otherDegrees = 0;
};

} // namespace

[[noreturn]] static void fail(const std::string &what) {
  std::fprintf(stderr, "fsmoe: error: %s\n", what.c_str());
  std::exit(2);
}

static Testbed loadTestbed(const char *name, int64_t shortestSequence) {
  auto loaded = platform::findAndLoadPlatform(name, "platform");
  if (!loaded)
    fail(loaded.getError());
  Testbed testbed;
  testbed.machine = loaded->machine;
  const cost::Machine &machine = testbed.machine;
  auto getModel = [&](const cost::Level &level, cost::CollectiveKind kind) {
    const auto &fit = level.getFit(kind);
    if (!fit)
      fail(std::string(name) + ": expected a model of " +
           std::string(getName(kind)) + " at level '" + level.name + "'");
    return LinearTime{fit->alpha.value(), fit->beta.value() * kElementBytes};
  };
  const cost::Level &node = machine.levels.front(),
                    &network = machine.levels.back();
  testbed.allReduce = getModel(network, cost::CollectiveKind::AllReduce);
  testbed.allGather = getModel(node, cost::CollectiveKind::AllGather);
  testbed.reduceScatter = getModel(node, cost::CollectiveKind::ReduceScatter);
  if (!machine.gemm)
    fail(std::string(name) + ": expected a model of GEMMs");
  testbed.gemm = {machine.gemm->alpha.value(), machine.gemm->beta.value()};
  testbed.ranksPerNode = node.ranks;
  testbed.shortestSequence = shortestSequence;
  return testbed;
}

/// Returns the same phase as `moe-plan degree`.
static LinearPhase makePhase(const Testbed &testbed, const LayerShape &shape,
                             TrainingPhase which) {
  auto phase = MachinePhase::create(testbed.machine, shape, which,
                                    cost::BytesPerElement(kElementBytes));
  if (!phase)
    fail(testbed.machine.name + ": " + phase.getError());
  if (!phase->getLinear())
    fail(testbed.machine.name + ": expected models of all operations");
  return *phase->getLinear();
}

/// Returns the forward time of attention: four projections and the two products
/// of the scores, all split over the ranks of a node. It does not depend on the
/// number of heads.
static double getAttentionUs(const Testbed &testbed, const LayerShape &shape,
                             const Options &options) {
  constexpr double kGemms = 6;
  double tokens = double(shape.microBatch * shape.seqLen),
         hidden = double(shape.hidden);
  double macs = (4 * tokens * hidden * hidden +
                 2 * tokens * double(shape.seqLen) * hidden) /
                double(shape.tp);
  double us = kGemms * testbed.gemm.alphaUs + macs * testbed.gemm.slopeUs;
  if (options.countsTensorParallel)
    us += testbed.allGather.getUs(tokens * hidden) +
          testbed.reduceScatter.getUs(tokens * hidden);
  return us;
}

/// Returns the backward time of attention: twice the GEMMs, and the collectives
/// once.
static double getBackwardAttentionUs(const Testbed &testbed,
                                     const LayerShape &shape,
                                     const Options &options) {
  Options gemms = options;
  gemms.countsTensorParallel = false;
  return getAttentionUs(testbed, shape, gemms) +
         getAttentionUs(testbed, shape, options);
}

static LinearPhase slowDown(LinearPhase phase, double factor) {
  for (LinearTime *time : {&phase.dispatch, &phase.allGather,
                           &phase.reduceScatter, &phase.combine}) {
    time->alphaUs *= factor;
    time->slopeUs *= factor;
  }
  return phase;
}

/// Adds a configuration that represents `weight` configurations.
static void addConfiguration(const Testbed &testbed, const LayerShape &shape,
                             const Options &options, int64_t weight,
                             Totals &totals) {
  LinearPhase forward = makePhase(testbed, shape, TrainingPhase::Forward),
              backward = makePhase(testbed, shape, TrainingPhase::Backward);
  StepLayer layer;
  layer.denseForwardUs = getAttentionUs(testbed, shape, options);
  layer.denseBackwardUs = getBackwardAttentionUs(testbed, shape, options);
  layer.gradientElements = 4 * shape.hidden * shape.hidden / shape.tp;
  layer.forward = &forward;
  layer.backward = &backward;
  std::vector<StepLayer> network(size_t(options.layers), layer);

  // The same network with collectives that slow each other down.
  LinearPhase slowForward = slowDown(forward, options.slowdown),
              slowBackward = slowDown(backward, options.slowdown);
  StepLayer slowLayer = layer;
  slowLayer.forward = &slowForward;
  slowLayer.backward = &slowBackward;
  std::vector<StepLayer> slowNetwork(size_t(options.layers), slowLayer);

  double us[kNumStepSchedules];
  for (size_t i = 0; i < kNumStepSchedules; ++i) {
    bool overlaps = StepSchedule(i) == StepSchedule::FSMoE ||
                    StepSchedule(i) == StepSchedule::Best;
    auto time = planStep(overlaps ? slowNetwork : network, testbed.allReduce,
                         StepSchedule(i));
    if (!time)
      fail(time.getError());
    us[i] = time->getUs();
    if (StepSchedule(i) == StepSchedule::FSMoE &&
        time->forwardDegrees != time->backwardDegrees)
      totals.otherDegrees += weight;
  }
  double tutelUs = us[size_t(StepSchedule::Tutel)];
  for (size_t i = 0; i < kNumStepSchedules; ++i) {
    double speedup = tutelUs / us[i];
    totals.speedup[i] += double(weight) * speedup;
    bool isFirst = totals.configurations == 0;
    totals.least[i] = isFirst ? speedup : std::min(totals.least[i], speedup);
    totals.most[i] = std::max(totals.most[i], speedup);
  }
  double bestUs = us[size_t(StepSchedule::Best)],
         fsmoeUs = us[size_t(StepSchedule::FSMoE)];
  if (bestUs > fsmoeUs * (1 + 1e-9)) {
    std::fprintf(stderr, "fsmoe: error: best takes %.3f us, fsmoe %.3f us\n",
                 bestUs, fsmoeUs);
    std::exit(1);
  }
  double gap = bestUs / getStepBoundUs(slowNetwork, testbed.allReduce) - 1;
  totals.gap += double(weight) * gap;
  totals.worstGap = std::max(totals.worstGap, gap);
  totals.gain += double(weight) * (fsmoeUs / bestUs - 1);
  totals.bestGain = std::max(totals.bestGain, fsmoeUs / bestUs - 1);
  totals.configurations += weight;
}

/// Calls `visit` with the shapes of SPEC FS-10. Times do not depend on the
/// number of heads, so each shape represents three configurations.
template <typename Visitor>
static void forEachShape(const Testbed &testbed, Visitor &&visit) {
  for (int64_t batch : {1, 2, 4})
    for (int64_t longer : {1, 2, 4})
      for (int64_t hidden : {1024, 2048, 4096})
        for (int64_t wider : {2, 3, 4})
          for (double capacity : {1.2, 2.4, 0.0})
            for (int64_t gemms : {2, 3}) {
              LayerShape shape;
              shape.microBatch = batch;
              shape.seqLen = testbed.shortestSequence * longer;
              shape.hidden = hidden;
              shape.ffnHidden = hidden * wider;
              shape.topK = 2;
              if (capacity > 0)
                shape.capacityFactor = capacity;
              shape.gemms = gemms;
              shape.tp = shape.esp = testbed.ranksPerNode;
              visit(shape);
            }
}

constexpr int64_t kHeads = 3, kAll = 1458;

static Totals sweep(const Testbed &testbed, const Options &options) {
  Totals totals;
  bool showsProgress = isatty(STDERR_FILENO);
  forEachShape(testbed, [&](const LayerShape &shape) {
    addConfiguration(testbed, shape, options, kHeads, totals);
    if (showsProgress)
      std::fprintf(stderr, "\r%s: %lld of %lld configurations ",
                   testbed.machine.name.c_str(),
                   (long long)totals.configurations, (long long)kAll);
  });
  if (showsProgress)
    std::fprintf(stderr, "\n");
  return totals;
}

/// Prints in how many configurations the best degrees of a layer's backward and
/// forward pass differ, by the maximum number of chunks and by the part of an
/// attention's gradient that is reduced between the layer's all-to-alls.
static void printDegrees(const Testbed &testbed) {
  std::printf("### %s, of %lld configurations\n\n"
              "| most chunks | no gradient | half | all |\n|---|---|---|---|\n",
              testbed.machine.name.c_str(), (long long)kAll);
  DegreePlanner planner;
  for (int64_t most : {4, 8, 16}) {
    int64_t counts[3] = {};
    forEachShape(testbed, [&](const LayerShape &shape) {
      LinearPhase forward = makePhase(testbed, shape, TrainingPhase::Forward),
                  backward = makePhase(testbed, shape, TrainingPhase::Backward);
      double elements = double(4 * shape.hidden * shape.hidden / shape.tp);
      int64_t degree = planner.plan(forward, most, 0).degree;
      for (int64_t halves : {0, 1, 2}) {
        double us =
            halves ? testbed.allReduce.getUs(elements * double(halves) / 2) : 0;
        if (planner.plan(backward, most, us).degree != degree)
          counts[halves] += kHeads;
      }
    });
    std::printf("| %lld | %lld | %lld | %lld |\n", (long long)most,
                (long long)counts[0], (long long)counts[1],
                (long long)counts[2]);
  }
  std::printf("\n");
}

static void printTable(const Testbed &testbed, const Totals &totals, bool isA) {
  double count = double(totals.configurations);
  std::printf("### %s, %lld configurations\n\n", testbed.machine.name.c_str(),
              (long long)totals.configurations);
  std::printf("| schedule | over Tutel, mean | least | most | published |\n"
              "|---|---|---|---|---|\n");
  for (size_t i = 0; i < kNumStepSchedules; ++i) {
    std::printf("| %s | %.3f | %.3f | %.3f |", getName(StepSchedule(i)),
                totals.speedup[i] / count, totals.least[i], totals.most[i]);
    const Published *found = nullptr;
    for (const Published &published : kPublished)
      if (published.schedule == StepSchedule(i))
        found = &published;
    if (found)
      std::printf(" %.2f |\n", isA ? found->a : found->b);
    else
      std::printf(" %s |\n", StepSchedule(i) == StepSchedule::Tutel ? "1" : "");
  }
  std::printf("\nbest over fsmoe: mean gain %.2f %%, most %.2f %%, never "
              "slower.\nbest above the lower bound: mean %.2f %%, worst "
              "%.2f %%.\nfsmoe's degrees differ between phases in %lld "
              "configurations.\n\n",
              100 * totals.gain / count, 100 * totals.bestGain,
              100 * totals.gap / count, 100 * totals.worstGap,
              (long long)totals.otherDegrees);
}

/// Returns the exit code after checking that all tables were written.
static int finish() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return 0;
  std::fprintf(stderr, "fsmoe: error: standard output: expected to write the "
                       "tables, could not write all of them\n");
  return 2;
}

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    char *end = nullptr;
    if (std::strcmp(argv[i], "--no-tensor-parallel") == 0) {
      options.countsTensorParallel = false;
    } else if (std::strcmp(argv[i], "--degrees") == 0) {
      options.countsDegrees = true;
    } else if (std::strncmp(argv[i], "--layers=", 9) == 0) {
      options.layers = std::strtol(argv[i] + 9, &end, 10);
      if (end == argv[i] + 9 || *end || options.layers < 1 ||
          options.layers > 1000)
        fail(std::string("--layers: expected 1 to 1000, got '") +
             (argv[i] + 9) + "'");
    } else if (std::strncmp(argv[i], "--slowdown=", 11) == 0) {
      options.slowdown = std::strtod(argv[i] + 11, &end);
      if (end == argv[i] + 11 || *end ||
          !(options.slowdown >= 1 && options.slowdown <= 100))
        fail(std::string("--slowdown: expected 1 to 100, got '") +
             (argv[i] + 11) + "'");
    } else {
      std::fprintf(
          stderr,
          "usage: moe-bench-fsmoe [--degrees | [--layers=N] "
          "[--no-tensor-parallel] [--slowdown=F]]\n"
          "  --degrees             count configurations in which forward and "
          "backward\n"
          "                        have different chunk counts\n"
          "  --layers              number of layers (default: 12)\n"
          "  --no-tensor-parallel  leave out the tensor-parallel collectives\n"
          "                        around attention\n"
          "  --slowdown            slowdown of collectives in fsmoe and best, "
          "which overlap\n"
          "                        collectives within nodes with collectives "
          "between nodes\n"
          "                        (default: 1)\n");
      return 2;
    }
  }
  if (options.countsDegrees) {
    if (argc > 2)
      fail("--degrees: expected no other option");
    for (bool isA : {true, false})
      printDegrees(loadTestbed(isA ? "fsmoe-a" : "fsmoe-b", isA ? 512 : 256));
    return finish();
  }
  auto start = std::chrono::steady_clock::now();
  std::printf("Networks of %lld layers%s.\n", (long long)options.layers,
              options.countsTensorParallel
                  ? ", with the collectives of tensor parallelism"
                  : "");
  if (options.slowdown != 1)
    std::printf("In fsmoe and best, collectives take %g times as long.\n",
                options.slowdown);
  std::printf("\n");
  for (bool isA : {true, false}) {
    Testbed testbed = loadTestbed(isA ? "fsmoe-a" : "fsmoe-b", isA ? 512 : 256);
    printTable(testbed, sweep(testbed, options), isA);
  }
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  std::printf("The whole sweep took %.1f s.\n", wall.count());
  return finish();
}
