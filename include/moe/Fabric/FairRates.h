// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How flows share links.

//
// Max-min fair rates: the rates of all flows rise together, each as 1 over its
// penalty, until a link that it crosses is full. No flow can then be faster
// without one that is no faster, penalties counted, getting slower. What a
// network of endless packets settles at when its senders are fair.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FABRIC_FAIRRATES_H
#define MOE_FABRIC_FAIRRATES_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace moe::fabric {

/// How a link's capacity is divided.
enum class Sharing : uint8_t {
  /// Flows together carry at most the capacity.
  Shared,
  /// Each of them alone does ("fat pipe"): a link behind which nothing is
  /// shared. All stop rising when the first of them fills it; which those are
  /// is not said where another link is full at the same level.
  FatPipe
};

/// A link in one direction.
struct FairLink {
  /// Bytes a microsecond, or any unit that rates then have; at least 0.
  double capacity = 0;
  Sharing sharing = Sharing::Shared;
  /// What the link carries in all while so many flows cross it, at least one;
  /// its capacity where there is no function. Flows of weights up to
  /// `kSideTraffic` are not counted: acknowledgements slow nobody down.
  std::function<double(double capacity, int64_t flows)> degrade = {};
};

/// The largest weight of a flow that `FairLink::degrade` does not count.
constexpr double kSideTraffic = 0.05;

/// A flow takes `weight` times its rate of a link; above 0. A flow over several
/// ways at once has their shares as weights.
struct LinkUse {
  int64_t link = 0;
  double weight = 1;

  friend bool operator==(const LinkUse &, const LinkUse &) = default;
};

/// A flow's way and its claim.
struct FairFlow {
  /// Each link once.
  std::vector<LinkUse> uses;
  /// Its rate is 1 / penalty of that of another flow with the same bottleneck
  /// and penalty 1; 0 for a flow that stands still.
  double penalty = 1;
  /// It is never faster.
  double bound = std::numeric_limits<double>::infinity();
};

/// What is wrong with links, or with the flows over them; empty when nothing
/// is.
std::string checkLinks(const std::vector<FairLink> &links);
std::string checkUses(const std::vector<FairLink> &links,
                      const std::vector<LinkUse> &uses);

/// The rates of flows: within rounding of the last digit of exact ones, as sums
/// are kept twice as precise. Fails, naming link or flow, for numbers out of
/// range, a link twice in a way, and a flow that nothing bounds.
cost::Result<std::vector<double>>
getFairRates(const std::vector<FairLink> &links,
             const std::vector<FairFlow> &flows);

} // namespace moe::fabric

#endif // MOE_FABRIC_FAIRRATES_H
