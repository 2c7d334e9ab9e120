// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of each token's experts.

#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/OrderedCopies.h"
#include "kernels/Verify.h"
#include <algorithm>
#include <vector>

using namespace moert;

Status moert::verifyDistinctNodes(const moert_distinct_nodes_args &args) {
  Status status =
      firstError({verifyInteger("expert numbers", args.ids_type),
                  verifySizes({{"tokens", args.tokens, 0},
                               {"top_k", args.top_k, 1},
                               {"experts", args.experts, 1},
                               {"nodes", args.nodes, 1}}),
                  verifySizes({{"a width", args.width, 1,
                                std::min(args.top_k, args.nodes)}}),
                  verifyVolume("the ids", {args.tokens, args.top_k}),
                  verifyPointer("the ids", args.ids, {args.tokens}),
                  verifyPointer("the nodes", args.result, {args.tokens})});
  if (!status.ok())
    return status;
  if (args.experts % args.nodes != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected experts that divide by the %lld nodes, got %lld",
                 static_cast<long long>(args.nodes),
                 static_cast<long long>(args.experts));
  return {};
}

Status moert::runDistinctNodes(const moert_distinct_nodes_args &args) {
  int64_t perNode = args.experts / args.nodes;
  std::vector<int64_t> found;
  for (int64_t token = 0; token < args.tokens; ++token) {
    found.clear();
    for (int64_t choice = 0; choice < args.top_k; ++choice) {
      int64_t expert;
      if (Status status = loadExpert("distinct_nodes", args.ids_type, args.ids,
                                     token * args.top_k + choice, args.top_k,
                                     args.experts, expert, /*least=*/-1);
          !status.ok())
        return status;
      if (expert < 0 || std::find(found.begin(), found.end(),
                                  expert / perNode) != found.end())
        continue;
      if (static_cast<int64_t>(found.size()) == args.width)
        return error(MOERT_INVALID_ARGUMENT,
                     "distinct_nodes: expected experts of a token on at most "
                     "%lld nodes, got one on another as choice %lld of token "
                     "%lld",
                     static_cast<long long>(args.width),
                     static_cast<long long>(choice),
                     static_cast<long long>(token));
      found.push_back(expert / perNode);
    }
    found.resize(args.width, -1);
    for (int64_t i = 0; i < args.width; ++i)
      storeInteger(args.ids_type, args.result, token * args.width + i,
                   found[i]);
  }
  return {};
}
