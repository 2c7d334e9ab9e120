// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where ranks of a group lie.

#ifndef MOE_COST_GROUPLAYOUT_H
#define MOE_COST_GROUPLAYOUT_H

#include <cstdint>
#include <vector>

namespace moe::cost {

/// The ranks of one group of `size`, `together` (>= 1) of them in each instance
/// of a level that spans `inner` ranks, from the first instance on.
inline std::vector<int64_t> layOutGroup(int64_t size, int64_t together,
                                        int64_t inner) {
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < size; ++i)
    ranks.push_back(i / together * inner + i % together);
  return ranks;
}

} // namespace moe::cost

#endif // MOE_COST_GROUPLAYOUT_H
