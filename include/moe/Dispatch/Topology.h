// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Topologies that connect devices.

#ifndef MOE_DISPATCH_TOPOLOGY_H
#define MOE_DISPATCH_TOPOLOGY_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace moe::dispatch {

/// The connections of devices (SPEC TA-2): a tree of switches of any depth, or
/// a ring. Devices are numbered from the left.
class Topology {
public:
  /// Parses a tree as a nested list, where a number is a switch with this
  /// number of devices and a list is a switch with the listed contents. For
  /// example, "[[2,2],[2]]" has a switch above two others: one connects two
  /// nodes of two devices each, and the other one node of two. "8" is a
  /// homogeneous node, and "ring:8" is a ring. Fails for anything else, and for
  /// more than `kMostDevices` devices or `kMostLevels` levels. The failure
  /// names the expected input and its position.
  static cost::Result<Topology> parse(std::string_view text);

  static constexpr int64_t kMostDevices = 1024, kMostLevels = 16;

  bool isRing() const { return ring; }
  int64_t getNumDevices() const { return numDevices; }
  /// Returns the number of levels; pairs of different devices have levels from
  /// 1 on.
  int64_t getNumLevels() const { return numLevels; }
  /// Returns the level of a pair: in a tree the height of the lowest switch
  /// above both, which is 1 for two devices of the same node; in a ring the
  /// number of hops on the shorter way. A device and itself have level 0.
  int64_t getLevel(int64_t i, int64_t j) const;

  /// Returns true if all switches of one height are alike. A ring is symmetric.
  bool isSymmetric() const;

  /// Returns the nearest symmetric tree with the same devices (SPEC TA-4):
  /// different subtrees of a switch are merged into one with all of their
  /// subtrees, and nodes of unequal size count as nodes of the largest size.
  /// Appends a sentence to `notes` for each change.
  Topology symmetrize(std::vector<std::string> &notes) const;

  /// Returns the topology in the syntax of `parse`.
  std::string print() const;

private:
  struct Switch {
    /// Number of devices in the node, or 0 if there are subtrees.
    int64_t devices = 0;
    std::vector<Switch> subtrees;
    /// Number of switches on the way down to the lowest node, including this
    /// one.
    int64_t height = 1;

    /// Returns the nested list. If `padded`, unequal nodes of one switch are
    /// printed like the largest.
    std::string print(bool padded = false) const;
  };
  class Parser;

  static void symmetrize(Switch &top, std::vector<std::string> &notes);
  /// Computes the numbers of devices and levels, and the path to each device.
  void complete();

  bool ring = false;
  Switch root;
  int64_t numDevices = 0, numLevels = 0;
  /// The path to each device from the top: the index of each switch among the
  /// subtrees of the previous one. Device-major, with `numLevels` numbers each;
  /// in an uneven tree, missing switches are zeros at the bottom.
  std::vector<int32_t> ways;
};

} // namespace moe::dispatch

#endif // MOE_DISPATCH_TOPOLOGY_H
