// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closed-form makespans of pipelines.

#include "moe/Schedule/FlowShop.h"

#include <algorithm>
#include <cassert>

using namespace moe::schedule;

double moe::schedule::getEqualJobsMakespanUs(std::span<const double> stageUs,
                                             int64_t numJobs) {
  if (numJobs <= 0)
    return 0;
  double sumUs = 0, longestUs = 0;
  for (double us : stageUs) {
    sumUs += us;
    longestUs = std::max(longestUs, us);
  }
  return sumUs + double(numJobs - 1) * longestUs;
}

double moe::schedule::getFlowShopMakespanUs(std::span<const double> timesUs,
                                            std::span<double> doneUs,
                                            int64_t numStages) {
  assert(numStages > 0 && int64_t(doneUs.size()) >= numStages &&
         int64_t(timesUs.size()) % numStages == 0 &&
         "expected whole jobs and a place for each stage");
  std::fill(doneUs.begin(), doneUs.end(), 0.0);
  for (size_t job = 0; job < timesUs.size(); job += size_t(numStages)) {
    double readyUs = 0;
    for (int64_t stage = 0; stage < numStages; ++stage) {
      // A stage starts after it has completed the previous job and the previous
      // stage has completed this one.
      readyUs = std::max(readyUs, doneUs[stage]) + timesUs[job + stage];
      doneUs[stage] = readyUs;
    }
  }
  return doneUs[numStages - 1];
}
