// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom a wait is waiting for in the end.

#ifndef MOERT_CORE_WAITGRAPH_H
#define MOERT_CORE_WAITGRAPH_H

#include "core/Status.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace moert {

/// What is known of a rank that others wait for.
struct Whereabouts {
  /// "is in no collective", "waits in all_to_all #3 of group [0, 1] key 0".
  std::string words;
  /// Whom it waits for itself; empty when the wait ends here.
  std::vector<int32_t> waitsFor;
};

/// Says who is missing: "missing are ranks [2]; rank 2 is in no collective".
/// A rank that waits itself is not to blame, so waits are followed from
/// `waitedFor` to those that wait for nobody; ranks on the way are told apart.
/// Where all wait for each other nobody is called missing.
std::string describeBlame(const std::vector<int32_t> &waitedFor,
                          const std::function<Whereabouts(int32_t)> &find);

} // namespace moert

#endif // MOERT_CORE_WAITGRAPH_H
