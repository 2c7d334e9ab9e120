// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A platform of what was measured.

#ifndef MOE_PLATFORM_MEASUREDPLATFORM_H
#define MOE_PLATFORM_MEASUREDPLATFORM_H

#include "moe/Dispatch/Links.h"
#include "moe/Platform/Fit.h"

namespace moe::platform {

/// Where the ranks are: node after node, equally many on each.
struct Nodes {
  int64_t numRanks = 1, numNodes = 1;
  int64_t getRanksPerNode() const { return numRanks / numNodes; }
};

/// What was measured; on rank 0.
struct Measurements {
  Nodes nodes;
  /// Collectives inside of nodes, all nodes at once, and of all ranks.
  std::vector<NcclLog> collectives;
  /// What a byte takes that passes one endpoint while others only send to it,
  /// or receive from it, whichever takes longer; by level, 0 where it is not
  /// known.
  std::vector<double> portUsPerByte;
  /// Copies, by bytes.
  std::vector<Sample> copies;
  /// Messages between all pairs of ranks, each pair alone; where asked for.
  std::optional<dispatch::Links> pairs;
  /// Of how many pairs longer messages may take more a byte
  /// (`LinkFit::isSettled`).
  int64_t unsettledPairs = 0;
  /// The two GEMMs of an expert; the size is their multiply-accumulates.
  std::vector<Sample> gemms;
  /// How much longer one operation takes beside others, without origins.
  std::vector<cost::ContentionFactor> contention;
  /// Time that each operation of a pipeline takes beside its own.
  double stallUs = 0;
  /// Medians of relative differences, of the longer half: between the times of
  /// one operation measured at two times of this run, and between pipelines and
  /// simulations of them on what was measured.
  double repeatError = 0, pipelineError = 0;
  /// How long each part of the measurement took, in the order they were made.
  std::vector<std::pair<std::string, double>> seconds;

  /// How far predictions can be trusted: the greater of the two.
  double getUncertainty() const { return std::max(repeatError, pipelineError); }
};

/// A level for the ranks of a node and one for all nodes, where there are
/// several ranks of each. A level's curve is that of its all-to-all, each other
/// collective has a line of its own; its port rate is that of one endpoint
/// alone; copies have a curve, GEMMs a line. Every
/// figure's origin begins with "measured". `backend` and `name` stand in the
/// platform; `name` may be empty.
cost::Result<FitResult> makePlatform(const Measurements &measurements,
                                     const std::string &backend,
                                     const std::string &name);

/// The copies and GEMMs of a measurement in the place of those of `base`, of
/// which the other figures stay; `name` may be empty, for that of `base`.
cost::Result<Platform> replaceDevice(Platform base,
                                     const Measurements &measurements,
                                     const std::string &backend,
                                     const std::string &name);

/// "all_to_all of 4 ranks on one node".
std::string describe(const NcclLog &log);

} // namespace moe::platform

#endif // MOE_PLATFORM_MEASUREDPLATFORM_H
