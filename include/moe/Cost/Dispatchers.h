// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that send tokens to experts and back.
//
// A collective sends a copy of a token to each expert that the token chose.
// Expert-parallel kernels (DeepEP, HybridEP) send the token over the network
// once per node, and inside the node once per rank, with both transfers
// overlapped.

#ifndef MOE_COST_DISPATCHERS_H
#define MOE_COST_DISPATCHERS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace moe::cost {

/// The fixed time of an exchange and the rate of its slowest links.
struct DispatchRate {
  Microseconds start;
  GBps rate;
};

/// Rates of a dispatcher measured on groups of `nodes` nodes with `sms` SMs.
struct DispatcherLine {
  int64_t nodes = 1, sms = 0;
  /// Rates for one node count each token once per destination rank, including
  /// its own. Rates for several nodes count it once per other node.
  DispatchRate dispatch, combine;
};

/// A dispatcher that the platform has measured.
struct Dispatcher {
  std::string name;
  std::vector<DispatcherLine> lines;
  /// True if its kernels also permute the rows by expert, and unpermute them.
  bool permutes = false;
  /// The largest group that it supports, if it has a limit.
  std::optional<int64_t> maxRanks;
  std::string origin;
};

/// The tokens that ranks exchange.
struct TokenExchange {
  /// Tokens per rank, and bytes per token including scales.
  double tokens = 0, bytesPerToken = 0;
  int64_t experts = 1, topK = 1;
  /// Expert groups, and the number of groups per token; 1 and 1 if the gate has
  /// no such limit.
  int64_t groups = 1, chosenGroups = 1;
  /// Ranks of the group, and its ranks per node.
  int64_t ranks = 1, ranksPerNode = 1;

  int64_t getNodes() const { return (ranks + ranksPerNode - 1) / ranksPerNode; }
  /// The expected numbers of nodes and of ranks that receive a token if the
  /// gate is balanced.
  double getNodesOfToken() const;
  double getRanksOfToken() const;
};

/// Times of an exchange and the bytes that it moves.
struct DispatcherTime {
  Microseconds dispatch, combine;
  /// Bytes received per rank inside nodes, and sent per rank between nodes.
  Bytes inside, between;
  /// True if a line of the same node count was measured.
  bool isMeasured = false;
};

/// Returns the times of a dispatch of `exchange` and of a combine of
/// `combineBytes` per token. Uses the line with the same number of nodes, else
/// the next larger number, else the largest; among these, the nearest number of
/// SMs. Fails if the group exceeds `maxRanks`.
Result<DispatcherTime> getDispatcherTime(const Dispatcher &dispatcher,
                                         const TokenExchange &exchange,
                                         double combineBytes, int64_t sms);

} // namespace moe::cost

#endif // MOE_COST_DISPATCHERS_H
