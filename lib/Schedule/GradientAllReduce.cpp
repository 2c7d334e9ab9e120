// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of the gradient all-reduce.

#include "moe/Schedule/GradientAllReduce.h"
#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::schedule;

cost::Result<GradientAllReduce>
GradientAllReduce::create(const cost::Machine &machine, int64_t tp,
                          cost::BytesPerElement element, int64_t elements) {
  int64_t numRanks = machine.getNumRanks();
  if (tp < 1 || numRanks % tp != 0)
    return cost::Failure{"platform '" + machine.name +
                         "': expected a tp of at least 1 that divides its " +
                         std::to_string(numRanks) + " ranks, got " +
                         std::to_string(tp)};
  const int64_t shape[] = {numRanks / tp, tp};
  const unsigned axes[] = {0};
  auto groups = cost::RankGroups::fromMesh(shape, axes);
  if (!groups)
    return groups.getFailure();
  return create(machine, *groups, element, elements);
}

cost::Result<GradientAllReduce>
GradientAllReduce::create(const cost::Machine &machine,
                          const cost::RankGroups &groups,
                          cost::BytesPerElement element, int64_t elements) {
  GradientAllReduce result;
  result.numRanks = groups.getGroupSize();
  auto plan = cost::CollectivePlan::create(machine, groups,
                                           cost::CollectiveKind::AllReduce);
  if (!plan)
    return plan.getFailure();

  double most = double(std::max<int64_t>(8, elements));
  auto getUs = [&](double count) {
    return plan->getTime(cost::Elements(count) * element).value();
  };
  double fewUs = getUs(most / 8), mostUs = getUs(most);
  double slopeUs = std::max(0.0, (mostUs - fewUs) / (most - most / 8));
  result.time = {std::max(0.0, fewUs - slopeUs * most / 8), slopeUs};
  for (double share : {1 / 1024.0, 1 / 64.0, 1 / 2.0}) {
    double us = getUs(share * most);
    result.isExact &=
        std::abs(result.time.getUs(share * most) - us) <= 1e-6 * us;
  }
  result.element = element;
  result.plan = std::move(*plan);
  return result;
}
