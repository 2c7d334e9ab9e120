// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pairs of devices take.

#ifndef MOE_DISPATCH_LINKS_H
#define MOE_DISPATCH_LINKS_H

#include "moe/Dispatch/Topology.h"

namespace moe::dispatch {

/// A link: a message of b bytes takes alphaUs + betaUsPerByte * b microseconds.
struct Link {
  double alphaUs = 0, betaUsPerByte = 0;

  /// Time of a message of so many tokens.
  double getUs(double bytesPerToken, double tokens) const {
    return alphaUs + betaUsPerByte * bytesPerToken * tokens;
  }
};

/// The links between all pairs of devices, each device with itself included:
/// measured, or made from a topology.
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

  /// Every pair has the link of its level: `levels[l - 1]` for level l of a
  /// tree, `local` within a device. In a ring, which has one level of links,
  /// alpha is that of each hop and beta the largest on the way (SPEC TA-8).
  /// Fails for another number of levels than the topology has.
  static cost::Result<Links>
  create(const Topology &topology, const std::vector<Link> &levels, Link local);

  /// Links without the noise of measurements: each pair has the mean alpha and
  /// beta over all pairs of its level in the topology, each unordered pair
  /// counted once with the mean of its two directions, a device and itself the
  /// mean over devices (SPEC TA-2). The topology has as many devices.
  Links smooth(const Topology &topology) const;

  /// What is wrong with links, empty when nothing is: alphas are finite and at
  /// least 0, betas finite and greater than 0.
  std::string check() const;

private:
  int64_t numDevices;
  std::vector<Link> links;
};

} // namespace moe::dispatch

#endif // MOE_DISPATCH_LINKS_H
