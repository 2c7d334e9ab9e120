// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links between pairs of devices.

#ifndef MOE_DISPATCH_LINKS_H
#define MOE_DISPATCH_LINKS_H

#include "moe/Dispatch/Topology.h"

namespace moe::dispatch {

/// A link: a message of b bytes takes alphaUs + betaUsPerByte * b microseconds.
struct Link {
  double alphaUs = 0, betaUsPerByte = 0;

  /// Returns the time of a message with this number of tokens.
  double getUs(double bytesPerToken, double tokens) const {
    return alphaUs + betaUsPerByte * bytesPerToken * tokens;
  }
};

/// The links between all pairs of devices, including each device with itself.
/// They are measured, or derived from a topology.
class Links {
public:
  explicit Links(int64_t numDevices)
      : numDevices(numDevices),
        links(static_cast<size_t>(numDevices * numDevices)) {}

  int64_t getNumDevices() const { return numDevices; }
  Link &at(int64_t from, int64_t to) {
    return links[static_cast<size_t>(from * numDevices + to)];
  }
  const Link &at(int64_t from, int64_t to) const {
    return links[static_cast<size_t>(from * numDevices + to)];
  }

  /// Creates links where every pair has the link of its level: `levels[l - 1]`
  /// for level l of a tree, and `local` within a device. In a ring, which has
  /// one level of links, alpha is multiplied by the number of hops and beta is
  /// the largest on the way (SPEC TA-8). Fails if the number of levels differs
  /// from the topology's.
  static cost::Result<Links>
  create(const Topology &topology, const std::vector<Link> &levels, Link local);

  /// Returns links without the noise of measurements: each pair has the mean
  /// alpha and beta over all pairs of its level in the topology, where each
  /// unordered pair counts once with the mean of its two directions; a device
  /// and itself have the mean over devices (SPEC TA-2). The topology must have
  /// the same number of devices.
  Links smooth(const Topology &topology) const;

  /// Returns why links are invalid; empty if valid. Alphas must be finite and
  /// at least 0, betas finite and greater than 0.
  std::string check() const;

private:
  int64_t numDevices;
  std::vector<Link> links;
};

} // namespace moe::dispatch

#endif // MOE_DISPATCH_LINKS_H
