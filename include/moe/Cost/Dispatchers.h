// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that send tokens to experts and back.
//
// Collectives send a copy of a token for each expert that it chose. Kernels
// made for experts (DeepEP, HybridEP) send a token once to each node, over the
// network, and there once to each rank, and both at the same time.

#ifndef MOE_COST_DISPATCHERS_H
#define MOE_COST_DISPATCHERS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace moe::cost {

/// The time that an exchange takes without its bytes, and how fast its slowest
/// links send them.
struct DispatchRate {
  Microseconds start;
  GBps rate;
};

/// A dispatcher as it was measured on groups of so many nodes with so many SMs.
struct DispatcherLine {
  int64_t nodes = 1, sms = 0;
  /// Rates for one node count each token once for each rank that it goes to,
  /// its own included; for several nodes, once for each other node.
  DispatchRate dispatch, combine;
};

/// A dispatcher of a platform.
struct Dispatcher {
  std::string name;
  std::vector<DispatcherLine> lines;
  /// Its kernels also order the rows by expert, and back.
  bool permutes = false;
  /// The largest group that it takes; none if any.
  std::optional<int64_t> maxRanks;
  std::string origin;
};

/// The tokens that ranks exchange.
struct TokenExchange {
  /// Tokens of a rank, and bytes of each, with scales where it has them.
  double tokens = 0, bytesPerToken = 0;
  int64_t experts = 1, topK = 1;
  /// Groups of experts that a token is limited to; 1 and 1 for none.
  int64_t groups = 1, chosenGroups = 1;
  /// Ranks of the group, and how many of them lie in a node.
  int64_t ranks = 1, ranksPerNode = 1;

  int64_t getNodes() const { return (ranks + ranksPerNode - 1) / ranksPerNode; }
  /// The nodes and the ranks, expected of even choices, that a token goes to.
  double getNodesOfToken() const;
  double getRanksOfToken() const;
};

/// What an exchange takes, with its bytes.
struct DispatcherTime {
  Microseconds dispatch, combine;
  /// Bytes that a rank receives inside of nodes, and sends between them.
  Bytes inside, between;
  /// The line was measured on as many nodes.
  bool isMeasured = false;
};

/// Times of a dispatch of `exchange`, and of a combine of `combineBytes` a
/// token. Takes the line of as many nodes, else of the nearest more, else of
/// the most; of as many SMs, else the nearest. Fails where the group is too
/// large.
Result<DispatcherTime> getDispatcherTime(const Dispatcher &dispatcher,
                                         const TokenExchange &exchange,
                                         double combineBytes, int64_t sms);

} // namespace moe::cost

#endif // MOE_COST_DISPATCHERS_H
