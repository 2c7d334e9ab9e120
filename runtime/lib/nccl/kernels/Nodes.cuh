// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of each token's experts.

#ifndef MOERT_NCCL_KERNELS_NODES_CUH
#define MOERT_NCCL_KERNELS_NODES_CUH

#include "nccl/kernels/Elements.cuh"

/// One thread processes one token, and stores the nodes found so far in the
/// result.
extern "C" __global__ void
moert_distinct_nodes_kernel(moert_distinct_nodes_args args, Error *error) {
  long long k = args.top_k, width = args.width;
  long long perNode = args.experts / args.nodes;
  for (long long token = firstIndex(); token < args.tokens;
       token += indexStep()) {
    long long begin = token * width, found = 0;
    for (long long at = token * k; at < (token + 1) * k; ++at) {
      long long id = loadInteger(args.ids_type, args.ids, at);
      if (id < -1 || id >= args.experts) {
        report(error, kDistinctNodesExpert, id, at, k, args.experts);
        continue;
      }
      if (id < 0)
        continue;
      long long node = id / perNode, other = 0;
      while (other < found &&
             loadInteger(args.ids_type, args.result, begin + other) != node)
        ++other;
      if (other < found)
        continue;
      if (found == width) {
        report(error, kDistinctNodesWidth, id, at, k, width);
        continue;
      }
      storeInteger(args.ids_type, args.result, begin + found++, node);
    }
    for (; found < width; ++found)
      storeInteger(args.ids_type, args.result, begin + found, -1);
  }
}

#endif // MOERT_NCCL_KERNELS_NODES_CUH
