//===- Measure.h - What the ranks of a job can do ---------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PROFILE_MEASURE_H
#define MOE_TOOLS_MOE_PROFILE_MEASURE_H

#include "moe/Cost/Machine.h"
#include "moe/Execution/Job.h"
#include "moe/Platform/NcclLog.h"

#include <vector>

namespace moe::profile {

struct MeasureOptions {
  /// Largest buffer of a collective and largest copy.
  int64_t maxBytes = int64_t(64) << 20;
  /// About how long one size of one operation is measured. A size of which one
  /// call takes longer is the last.
  double secondsPerSize = 0.3;
};

/// Where the ranks are: node after node, equally many on each.
struct Nodes {
  int64_t numRanks = 1, numNodes = 1;
  int64_t getRanksPerNode() const { return numRanks / numNodes; }
};

/// What was measured; on rank 0.
struct Measurements {
  Nodes nodes;
  /// Collectives inside of nodes, all nodes at once, and of all ranks.
  std::vector<platform::NcclLog> collectives;
  /// Copies, by bytes.
  std::vector<platform::Sample> copies;
  /// The two GEMMs of an expert; the size is their multiply-accumulates.
  std::vector<platform::Sample> gemms;
  /// How much longer one operation takes beside others, without origins.
  std::vector<cost::ContentionFactor> contention;
  /// Time that each operation of a pipeline takes beside its own.
  double stallUs = 0;
  /// Medians of relative differences, of the longer half: between the times of
  /// one operation measured at two times of this run, and between pipelines and
  /// simulations of them on what was measured.
  double repeatError = 0, pipelineError = 0;

  /// How far predictions can be trusted: the greater of the two.
  double getUncertainty() const { return std::max(repeatError, pipelineError); }
};

/// Finds out by the ranks' host names. Fails when nodes have different numbers
/// of ranks or ranks of one are not neighbours. All ranks call it.
cost::Result<Nodes> findNodes(Job &job);

/// Measures collectives, copies and GEMMs, all ranks at the same time: the
/// slowest rank counts, and of repeated calls the fastest. All ranks call it.
cost::Result<Measurements> measure(Job &job, const MeasureOptions &options);

} // namespace moe::profile

#endif // MOE_TOOLS_MOE_PROFILE_MEASURE_H
