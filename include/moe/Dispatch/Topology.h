// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How devices are connected.

#ifndef MOE_DISPATCH_TOPOLOGY_H
#define MOE_DISPATCH_TOPOLOGY_H

#include "moe/Cost/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace moe::dispatch {

/// How devices are connected (SPEC TA-2): a tree of switches of any depth, or a
/// ring. Devices are numbered from the left.
class Topology {
public:
  /// Reads a tree as a nested list, where a number stands for a switch with so
  /// many devices and a list for a switch with what is inside: "[[2,2],[2]]"
  /// has a switch above two others, of which one connects two nodes of two
  /// devices and the other one node of two. "8" is a homogeneous node, "ring:8"
  /// a ring. Fails, naming what was expected and where, for anything else, and
  /// for more than `kMostDevices` devices or `kMostLevels` levels.
  static cost::Result<Topology> parse(std::string_view text);

  static constexpr int64_t kMostDevices = 1024, kMostLevels = 16;

  bool isRing() const { return ring; }
  int64_t getNumDevices() const { return numDevices; }
  /// Pairs of different devices have levels from 1 to this.
  int64_t getNumLevels() const { return numLevels; }
  /// The level of a pair: in a tree the height of the lowest switch above
  /// both, 1 for two devices of one node; in a ring the hops of the shorter
  /// way. 0 for a device and itself.
  int64_t getLevel(int64_t i, int64_t j) const;

  /// Whether all switches of one height are alike. A ring is.
  bool isSymmetric() const;

  /// The nearest symmetric tree with the same devices (SPEC TA-4): where
  /// subtrees of a switch differ, they become one, with all of their subtrees;
  /// nodes of unequal size count as such of the largest. `notes` gets a
  /// sentence for each.
  Topology symmetrize(std::vector<std::string> &notes) const;

  /// As `parse` reads it.
  std::string print() const;

private:
  struct Switch {
    /// Devices of a node, or 0 where there are subtrees.
    int64_t devices = 0;
    std::vector<Switch> subtrees;
    /// Switches on the way down to the lowest node, this one among them.
    int64_t height = 1;

    /// As in the nested list; with `padded` as if unequal nodes of one switch
    /// were all like the largest.
    std::string print(bool padded = false) const;
  };
  class Parser;

  static void symmetrize(Switch &top, std::vector<std::string> &notes);
  /// Numbers of devices and levels, and the way down to each device.
  void complete();

  bool ring = false;
  Switch root;
  int64_t numDevices = 0, numLevels = 0;
  /// For each device the switches above it, from the highest: which subtree of
  /// the one before each is. Device-major, `numLevels` numbers each; switches
  /// that are lacking in an uneven tree stand as 0 below the others.
  std::vector<int32_t> ways;
};

} // namespace moe::dispatch

#endif // MOE_DISPATCH_TOPOLOGY_H
