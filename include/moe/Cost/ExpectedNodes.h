// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected number of nodes that receive a token.

#ifndef MOE_COST_EXPECTEDNODES_H
#define MOE_COST_EXPECTEDNODES_H

#include <cstdint>
#include <vector>

namespace moe::cost {

/// Returns the expected number of nodes that hold the experts of a token, if
/// any `topK` of the experts are equally likely. For E experts on N nodes,
/// where N divides E, and k choices, the probability that none of them is on a
/// given node is p = C(E - E/N, k) / C(E, k), so the result is N (1 - p).
/// Requires 1 <= topK <= experts.
double getExpectedNodes(int64_t experts, int64_t topK, int64_t nodes);

/// Returns the expected number of tokens that each node receives, given how
/// often each expert is chosen. `copies` has these counts by expert, all at
/// least 0; each token chooses `topK` different experts, and all nodes have
/// equally many experts. Among the distributions with these counts, the
/// function assumes the one in which experts are as independent as possible:
/// tokens draw experts with odds that follow from the counts (Hajek, 1964),
/// adjusted so that each node gets its copies. Equal counts give
/// `getExpectedNodes` per token. A node receives at least the largest count of
/// its experts and its copies divided by the most choices that one token can
/// have there, and at most its copies or all tokens. Requires 1 <= topK <=
/// experts.
std::vector<double> getExpectedTokens(const std::vector<double> &copies,
                                      int64_t topK, int64_t nodes);

} // namespace moe::cost

#endif // MOE_COST_EXPECTEDNODES_H
