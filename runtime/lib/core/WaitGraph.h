// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks that a wait depends on.

#ifndef MOERT_CORE_WAITGRAPH_H
#define MOERT_CORE_WAITGRAPH_H

#include "core/Status.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace moert {

/// The state of one rank that others wait for.
struct Whereabouts {
  /// For example "is in no collective" or "waits in all_to_all #3 of group [0,
  /// 1] key 0".
  std::string words;
  /// The ranks that it waits for; empty if it does not wait.
  std::vector<int32_t> waitsFor;
};

/// Describes the missing ranks, for example "missing are ranks [2]; rank 2 is
/// in no collective". A waiting rank is not to blame, so the function follows
/// waits from `waitedFor` to the ranks that do not wait, and lists the ranks in
/// between separately. If all ranks wait for each other, none is called
/// missing.
std::string describeBlame(const std::vector<int32_t> &waitedFor,
                          const std::function<Whereabouts(int32_t)> &find);

} // namespace moert

#endif // MOERT_CORE_WAITGRAPH_H
