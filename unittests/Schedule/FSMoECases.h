// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FSMoE's configurations and testbeds.

#ifndef MOE_UNITTESTS_SCHEDULE_FSMOECASES_H
#define MOE_UNITTESTS_SCHEDULE_FSMOECASES_H

#include "moe/Schedule/LayerPhase.h"

namespace moe::schedule {

/// Constants of SPEC FS-9, in ms per element and ms per multiply-accumulate.
struct Testbed {
  const char *name;
  double alphaAllToAll, alphaGather, alphaScatter, alphaReduce, alphaGemm;
  double betaAllToAll, betaGather, betaScatter, betaReduce, betaGemm;
  int64_t ranksPerNode, shortestSequence;
};

inline constexpr Testbed kTestbeds[] = {
    {"A", .287, .337, .395, .511, .0426, 2.054e-6, 2.32e-7, 2.34e-7, 4.95e-6,
     6.534e-11, 8, 512},
    {"B", .175, .032, .0391, .0837, .0924, 1.224e-6, 6.72e-7, 6.68e-7, 2.396e-6,
     1.354e-10, 4, 256}};

/// One phase of one configuration.
struct FSMoECase {
  const Testbed *testbed;
  LayerShape shape;
  TrainingPhase which;
  LinearPhase phase;
  double gradientUs;
};

inline LinearPhase makePhase(const Testbed &testbed, const LayerShape &shape,
                             TrainingPhase which) {
  LayerWork work = getLayerWork(shape, which);
  LinearPhase phase;
  auto linear = [](double alphaMs, double betaMs, double amount) {
    return LinearTime{alphaMs * 1e3, betaMs * 1e3 * amount};
  };
  phase.dispatch = phase.combine = linear(
      testbed.alphaAllToAll, testbed.betaAllToAll, work.allToAllElements);
  phase.allGather =
      linear(testbed.alphaGather, testbed.betaGather, work.gatheredElements);
  phase.reduceScatter =
      linear(testbed.alphaScatter, testbed.betaScatter, work.gatheredElements);
  phase.experts = linear(testbed.alphaGemm * double(work.gemms),
                         testbed.betaGemm, work.macs);
  return phase;
}

/// Calls `visit` with the 486 distinct configurations of SPEC FS-10 (heads do
/// not matter) on both testbeds, forward and backward, with no, half and all of
/// the gradients of an attention block of 4 M^2 / N_MP elements: 5832 cases.
template <typename Visitor> void forEachFSMoECase(Visitor &&visit) {
  for (const Testbed &testbed : kTestbeds)
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
                double allUs =
                    1e3 * (testbed.alphaReduce + testbed.betaReduce * 4 *
                                                     double(hidden * hidden) /
                                                     double(shape.tp));
                for (TrainingPhase which :
                     {TrainingPhase::Forward, TrainingPhase::Backward})
                  for (double part : {0.0, 0.5, 1.0})
                    visit(FSMoECase{&testbed, shape, which,
                                    makePhase(testbed, shape, which),
                                    part * allUs});
              }
}

} // namespace moe::schedule

#endif // MOE_UNITTESTS_SCHEDULE_FSMOECASES_H
