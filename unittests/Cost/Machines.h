// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines and groups shared by the tests of costs.

#ifndef MOE_UNITTESTS_COST_MACHINES_H
#define MOE_UNITTESTS_COST_MACHINES_H

#include "moe/Cost/Collectives.h"
#include "moe/Cost/Machine.h"
#include "moe/Cost/Traffic.h"
#include "gtest/gtest.h"

namespace moe::cost {

inline Level makeLevel(const char *name, int64_t ranks, double gbps,
                       int64_t ranksPerNic = 1) {
  Level level;
  level.name = name;
  level.ranks = ranks;
  level.bandwidth = GBps(gbps);
  level.ranksPerNic = ranksPerNic;
  return level;
}

/// Returns nodes of 8 ranks with 200 GB/s per rank inside, and 25 GB/s per NIC
/// between nodes.
inline Machine makeNodes(int64_t numNodes, int64_t ranksPerNic = 1) {
  Machine machine;
  machine.name = "nodes";
  machine.levels = {makeLevel("node", 8, 200),
                    makeLevel("network", 8 * numNodes, 25, ranksPerNic)};
  return machine;
}

inline RankGroups makeGroups(std::vector<int64_t> shape,
                             std::vector<unsigned> axes) {
  return *RankGroups::fromMesh(shape, axes);
}

inline CollectivePlan makePlan(const Machine &machine, const RankGroups &groups,
                               CollectiveKind kind) {
  auto plan = CollectivePlan::create(machine, groups, kind);
  EXPECT_TRUE(bool(plan)) << (plan ? "" : plan.getError());
  return *plan;
}

} // namespace moe::cost

#endif // MOE_UNITTESTS_COST_MACHINES_H
