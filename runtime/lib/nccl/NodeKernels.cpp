// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of each token's experts, on GPUs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::distinct_nodes(const moert_distinct_nodes_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch("moert_distinct_nodes_kernel", getBlocks(args.tokens), 256,
                     0, stream, parameters);
}
