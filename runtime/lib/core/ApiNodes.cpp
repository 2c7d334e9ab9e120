// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: plans of exchanges that send tokens once per node.

#include "core/Guard.h"
#include "core/RaggedPlan.h"
#include "core/Types.h"
#include "kernels/Verify.h"
#include <vector>

using namespace moert;

namespace {
/// The counts of `moert_node_plan` on all ranks: assignments to experts, [J, G,
/// E], and tokens for nodes, [J, G, N].
struct NodeCounts {
  NodeCounts(int64_t joined, int64_t nodes, int64_t places, int64_t experts)
      : joined(joined), nodes(nodes), places(places), experts(experts) {}

  Status load(const void *counts, moert_type type);
  /// Returns the tokens between the ranks at one place of all nodes, [J, N, N].
  std::vector<int64_t> getTokens(int64_t place) const;
  /// Returns the assignments of a node's ranks to its experts, [J, L, E / N],
  /// after all tokens have arrived. Sums cannot overflow if the received rows
  /// per rank do not.
  std::vector<int64_t> getHandedOn(int64_t node) const;

  int64_t joined, nodes, places, experts;
  std::vector<int64_t> copies, tokens;
};
} // namespace

Status NodeCounts::load(const void *counts, moert_type type) {
  int64_t columns = experts + nodes;
  for (int64_t at = 0; at < joined * nodes * places * columns; ++at) {
    int64_t count = loadInteger(type, counts, at), column = at % columns;
    bool isNode = column >= experts;
    if (count < 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected counts of at least 0, got %lld of %s %lld from "
                   "position %lld",
                   static_cast<long long>(count), isNode ? "node" : "expert",
                   static_cast<long long>(isNode ? column - experts : column),
                   static_cast<long long>(at / columns % (nodes * places)));
    (isNode ? tokens : copies).push_back(count);
  }
  return {};
}

std::vector<int64_t> NodeCounts::getTokens(int64_t place) const {
  std::vector<int64_t> own;
  // Order by position of the joined group, then by node.
  for (int64_t at = 0; at < joined * nodes; ++at) {
    auto row = tokens.begin() + (at * places + place) * nodes;
    own.insert(own.end(), row, row + nodes);
  }
  return own;
}

std::vector<int64_t> NodeCounts::getHandedOn(int64_t node) const {
  int64_t perNode = experts / nodes;
  std::vector<int64_t> own(joined * places * perNode);
  for (int64_t at = 0; at < joined; ++at)
    for (int64_t place = 0; place < places; ++place)
      for (int64_t from = 0; from < nodes; ++from)
        for (int64_t e = 0; e < perNode; ++e)
          own[(at * places + place) * perNode + e] +=
              copies[((at * nodes + from) * places + place) * experts +
                     node * perNode + e];
  return own;
}

moert_status moert_node_plan(
    moert_context *context, int64_t node, int64_t nodes, int64_t place,
    int64_t places, int64_t joined_position, int64_t joined,
    const int32_t *members, int64_t experts, int64_t node_limit, int64_t limit,
    const void *counts, moert_type counts_type, void *node_send_offsets,
    void *node_send_sizes, void *node_receive_offsets, void *node_receive_sizes,
    void *send_offsets, void *send_sizes, void *receive_offsets,
    void *receive_sizes, void *run_offsets, void *run_sizes, moert_type type) {
  return guard(context, __func__, [&] {
    if (!context)
      return missing("a context");
    Status status =
        firstError({verifySizes({{"nodes", nodes, 1},
                                 {"places", places, 1},
                                 {"joined ranks", joined, 1}}),
                    verifyVolume("the ranks", {joined, nodes, places})});
    if (!status.ok())
      return status;
    // The runs of tokens sorted by node are not used.
    std::vector<int64_t> unused(joined * nodes);
    RaggedPlan between{node,
                       nodes,
                       joined_position,
                       joined,
                       /*members=*/nullptr,
                       nodes,
                       node_limit,
                       counts,
                       counts_type,
                       node_send_offsets,
                       node_send_sizes,
                       node_receive_offsets,
                       node_receive_sizes,
                       unused.data(),
                       unused.data(),
                       type};
    RaggedPlan inside{
        place,         places,       joined_position, joined,
        nullptr,       experts,      limit,           counts,
        counts_type,   send_offsets, send_sizes,      receive_offsets,
        receive_sizes, run_offsets,  run_sizes,       type};
    RaggedPlan all = inside;
    all.position = 0;
    all.ranks = nodes * places;
    all.members = members;
    status = firstError(
        {between.verify(), inside.verify(), all.verify(),
         verifyVolume("the counts", {joined, nodes, places, experts, 2})});
    if (!status.ok())
      return status;
    NodeCounts table(joined, nodes, places, experts);
    status = table.load(counts, counts_type);
    if (!status.ok())
      return status;
    all.counts = table.copies.data();
    all.countsType = between.countsType = inside.countsType = MOERT_I64;
    status = all.verifyCounts();
    std::vector<int64_t> tokens;
    std::vector<int32_t> there(joined * nodes);
    for (int64_t at = 0; at < places && status.ok(); ++at) {
      tokens = table.getTokens(at);
      between.counts = tokens.data();
      for (int64_t other = 0; members && other < joined * nodes; ++other)
        there[other] = members[other * places + at];
      between.members = members ? there.data() : nullptr;
      status = between.verifyCounts();
      if (!status.ok())
        return error(status.getCode(), "between nodes, at place %lld: %s",
                     static_cast<long long>(at), status.getMessage().c_str());
    }
    if (!status.ok())
      return status;
    tokens = table.getTokens(place);
    between.counts = tokens.data();
    std::vector<int64_t> handedOn = table.getHandedOn(node);
    inside.experts = experts / nodes;
    inside.counts = handedOn.data();
    return firstError({between.make(), inside.make()});
  });
}
