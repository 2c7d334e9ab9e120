// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places the ranks of a group on a machine's levels.

#ifndef MOE_COST_GROUPLAYOUT_H
#define MOE_COST_GROUPLAYOUT_H

#include <cstdint>
#include <vector>

namespace moe::cost {

/// Returns the ranks of one group of `size` ranks with `together` (>= 1)
/// consecutive ranks in each instance of a level that spans `inner` ranks,
/// starting at the first instance.
inline std::vector<int64_t> layOutGroup(int64_t size, int64_t together,
                                        int64_t inner) {
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < size; ++i)
    ranks.push_back(i / together * inner + i % together);
  return ranks;
}

} // namespace moe::cost

#endif // MOE_COST_GROUPLAYOUT_H
