// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a platform from measurements.

#ifndef MOE_PLATFORM_MEASUREDPLATFORM_H
#define MOE_PLATFORM_MEASUREDPLATFORM_H

#include "moe/Dispatch/Links.h"
#include "moe/Platform/Fit.h"

namespace moe::platform {

/// The distribution of ranks: consecutive ranks on each node, equally many per
/// node.
struct Nodes {
  int64_t numRanks = 1, numNodes = 1;
  int64_t getRanksPerNode() const { return numRanks / numNodes; }
};

/// The measurements, which only rank 0 has.
struct Measurements {
  Nodes nodes;
  /// Collectives inside nodes, with all nodes running at once, and of all
  /// ranks.
  std::vector<NcclLog> collectives;
  /// Time per byte at one endpoint while the other ranks only send to it or
  /// only receive from it, whichever is slower. By level; 0 if unknown.
  std::vector<double> portUsPerByte;
  /// Copies, sorted by size.
  std::vector<Sample> copies;
  /// Messages between all pairs of ranks, one pair at a time; set only on
  /// request.
  std::optional<dispatch::Links> pairs;
  /// Number of pairs on which longer messages may have a higher time per byte
  /// (`LinkFit::isSettled`).
  int64_t unsettledPairs = 0;
  /// The two GEMMs of an expert; the size is their multiply-accumulates.
  std::vector<Sample> gemms;
  /// Slowdown of one operation by concurrent ones, without origins.
  std::vector<cost::ContentionFactor> contention;
  /// Additional time of each operation in a pipeline.
  double stallUs = 0;
  /// Medians of the larger half of the relative differences. `repeatError`
  /// compares repeated measurements of an operation in this run;
  /// `pipelineError` compares pipelines with simulations that use the
  /// measurements.
  double repeatError = 0, pipelineError = 0;
  /// Duration of each part of the measurement, in chronological order.
  std::vector<std::pair<std::string, double>> seconds;

  /// Returns the uncertainty of predictions, which is the larger error.
  double getUncertainty() const { return std::max(repeatError, pipelineError); }
};

/// Makes a platform with one level inside nodes and one for all nodes, each
/// only if it has several members. A level has the curve of its all-to-all, a
/// line for each other collective, and the port rate of one endpoint alone;
/// copies have a curve and GEMMs a line. Every origin begins with "measured".
/// `backend` appears in these origins; an empty `name` selects a default.
cost::Result<FitResult> makePlatform(const Measurements &measurements,
                                     const std::string &backend,
                                     const std::string &name);

/// Replaces the copies and GEMMs of `base` by measured ones and keeps its other
/// figures. An empty `name` keeps the name of `base`.
cost::Result<Platform> replaceDevice(Platform base,
                                     const Measurements &measurements,
                                     const std::string &backend,
                                     const std::string &name);

/// Returns "all_to_all of 4 ranks on one node".
std::string describe(const NcclLog &log);

} // namespace moe::platform

#endif // MOE_PLATFORM_MEASUREDPLATFORM_H
