// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fair sharing of links between flows.
//
// Max-min fair rates: the rates of all flows rise together, each proportional
// to 1 / penalty, until a link that it crosses is full. A flow can then only
// become faster if a flow that is no faster, counting penalties, becomes
// slower. A network with many small packets and fair senders converges to these
// rates.

#ifndef MOE_FABRIC_FAIRRATES_H
#define MOE_FABRIC_FAIRRATES_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace moe::fabric {

/// How the capacity of a link is divided.
enum class Sharing : uint8_t {
  /// Flows together carry at most the capacity.
  Shared,
  /// Each flow alone carries at most the capacity ("fat pipe"), for a link that
  /// represents unshared links. All flows stop rising as soon as the first one
  /// fills it. Which flows these are is unspecified if another link is full at
  /// the same level.
  FatPipe
};

/// A link in one direction.
struct FairLink {
  /// Bytes per microsecond, or any unit, which is then also the unit of rates;
  /// at least 0.
  double capacity = 0;
  Sharing sharing = Sharing::Shared;
  /// Returns the total capacity while this number of flows crosses the link, at
  /// least one; without a function, it is always `capacity`. Flows with weights
  /// up to `kSideTraffic` do not count, because acknowledgements slow no flow
  /// down.
  std::function<double(double capacity, int64_t flows)> degrade = {};
};

/// The largest weight of a flow that `FairLink::degrade` does not count.
constexpr double kSideTraffic = 0.05;

/// A flow uses `weight` times its rate of a link; above 0. For a flow over
/// several paths at once, the weights are the shares of the paths.
struct LinkUse {
  int64_t link = 0;
  double weight = 1;

  friend bool operator==(const LinkUse &, const LinkUse &) = default;
};

/// The path of a flow and its claim.
struct FairFlow {
  /// The links of the path, each at most once.
  std::vector<LinkUse> uses;
  /// Its rate is 1 / penalty of the rate of another flow with the same
  /// bottleneck and penalty 1; 0 for a stopped flow.
  double penalty = 1;
  /// Upper bound of its rate.
  double bound = std::numeric_limits<double>::infinity();
};

/// Return why links, or flows over them, are invalid; empty if valid.
std::string checkLinks(const std::vector<FairLink> &links);
std::string checkUses(const std::vector<FairLink> &links,
                      const std::vector<LinkUse> &uses);

/// Returns the rates of flows, accurate to the last digit, because sums use
/// twice the precision. Fails if a number is out of range, if a link occurs
/// twice in a path, or if nothing bounds a flow. The failure names the link or
/// flow.
cost::Result<std::vector<double>>
getFairRates(const std::vector<FairLink> &links,
             const std::vector<FairFlow> &flows);

} // namespace moe::fabric

#endif // MOE_FABRIC_FAIRRATES_H
