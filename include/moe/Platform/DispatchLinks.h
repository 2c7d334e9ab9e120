// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links of a platform's devices.

#ifndef MOE_PLATFORM_DISPATCHLINKS_H
#define MOE_PLATFORM_DISPATCHLINKS_H

#include "moe/Cost/Machine.h"
#include "moe/Dispatch/Links.h"

#include <functional>

namespace moe::platform {

/// Links between devices, and the platform data that they come from.
struct DispatchLinks {
  dispatch::Links links;
  /// One link per level, from the innermost, and "local" for a device's copy to
  /// itself.
  std::vector<std::pair<std::string, dispatch::Link>> byLevel;
  /// Assumptions that the user should know.
  std::vector<std::string> notes;
};

/// Builds the links of a topology. Its levels are the platform's, from the
/// innermost. Levels above the platform's outermost use the outermost link; a
/// ring uses the innermost. Each link has the platform's time for messages of
/// `message` bytes while all ranks that share an endpoint use it. Fails if the
/// machine has no copy times.
cost::Result<DispatchLinks> makeDispatchLinks(const cost::Machine &machine,
                                              const dispatch::Topology &tree,
                                              cost::Bytes message);

/// Builds the tree of some devices of a larger tree, numbered in their order
/// there; `getLevel` returns the level of any two of them. A level that no two
/// devices have is kept, with one device or subtree per switch. Fails if the
/// levels belong to no tree; the failure names two devices.
cost::Result<dispatch::Topology>
makeTree(int64_t numDevices,
         const std::function<int64_t(int64_t, int64_t)> &getLevel);

/// Returns the platform level that connects two ranks: 0 if both are the same,
/// 1 for the innermost level, and one above the outermost if no level spans
/// both ranks.
int64_t getLevelOf(const cost::Machine &machine, int64_t rank, int64_t other);

} // namespace moe::platform

#endif // MOE_PLATFORM_DISPATCHLINKS_H
