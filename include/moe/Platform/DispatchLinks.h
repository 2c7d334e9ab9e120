// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links of a platform's devices.

#ifndef MOE_PLATFORM_DISPATCHLINKS_H
#define MOE_PLATFORM_DISPATCHLINKS_H

#include "moe/Cost/Machine.h"
#include "moe/Dispatch/Links.h"

#include <functional>

namespace moe::platform {

/// Links between devices, and what they were made of.
struct DispatchLinks {
  dispatch::Links links;
  /// Each level's, from the innermost, and "local", that of a device and
  /// itself.
  std::vector<std::pair<std::string, dispatch::Link>> byLevel;
  /// What was taken for granted, in words.
  std::vector<std::string> notes;
};

/// Links of a topology whose levels are the platform's, from the innermost;
/// those above its outermost have that one's, a ring has the innermost. A link
/// takes what the platform states for messages of this size, where a delivery
/// shares the endpoint with those of the ranks that share it. Fails, naming
/// what was expected, for a machine that does not say what copies take.
cost::Result<DispatchLinks> makeDispatchLinks(const cost::Machine &machine,
                                              const dispatch::Topology &tree,
                                              cost::Bytes message);

/// The tree of some devices of a greater one, in ascending order of their
/// numbers there: `getLevel` of any two is their level. Levels that no two of
/// them have stay, with one device or subtree a switch. Fails, naming two
/// devices, where levels are those of no tree.
cost::Result<dispatch::Topology>
makeTree(int64_t numDevices,
         const std::function<int64_t(int64_t, int64_t)> &getLevel);

/// How a platform's ranks are connected by its levels: the level that spans
/// both ranks, 1 for the innermost. One above the outermost for ranks that no
/// level spans together.
int64_t getLevelOf(const cost::Machine &machine, int64_t rank, int64_t other);

} // namespace moe::platform

#endif // MOE_PLATFORM_DISPATCHLINKS_H
