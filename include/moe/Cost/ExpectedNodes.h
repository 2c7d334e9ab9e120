// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that a token goes to.

#ifndef MOE_COST_EXPECTEDNODES_H
#define MOE_COST_EXPECTEDNODES_H

#include <cstdint>
#include <vector>

namespace moe::cost {

/// On how many nodes the experts of a token are, expected of a gate to which
/// any `topK` of the experts are equally likely. With E experts on N nodes,
/// which divide E, and k choices, each node has none of them with a chance of
/// C(E - E/N, k) / C(E, k): N (1 - that) nodes. 1 <= topK <= experts.
double getExpectedNodes(int64_t experts, int64_t topK, int64_t nodes);

/// How many tokens go to each node, expected where it is known how often each
/// expert is chosen by tokens that choose `topK` different ones: `copies`, by
/// expert, at least 0, the nodes having equally many. Of all ways to choose as
/// often, the ones taken are those in which experts have as little to do with
/// each other as may be: a token's are drawn with odds that follow from how
/// often each is chosen (Hajek, 1964), so that nodes get their copies. Equal
/// numbers make it `getExpectedNodes` for each token. Never less than the most
/// of an expert, nor than the copies by the choices that a node has experts
/// for; never more than the copies or the tokens. 1 <= topK <= experts.
std::vector<double> getExpectedTokens(const std::vector<double> &copies,
                                      int64_t topK, int64_t nodes);

} // namespace moe::cost

#endif // MOE_COST_EXPECTEDNODES_H
