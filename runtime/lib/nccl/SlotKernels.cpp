// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in slots and gradients of slot weights, on GPUs.

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::scatter(const moert_scatter_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  size_t bytes = scratch::scatter(args);
  return withScratch(bytes, [&](char *sources) {
    auto own = args;
    cuda::Error *problem = nccl.getError();
    // Initialize all sources to -1.
    Status status = setBytes(sources, 0xff, bytes);
    void *slotParameters[] = {&own, &sources, &problem};
    if (int64_t copies = args.tokens * args.top_k; status.ok() && copies)
      status = nccl.launch("moert_scatter_slots", getBlocks(copies), 256, 0,
                           stream, slotParameters);
    long long rowBytes = args.hidden * moert_type_size(args.type);
    void *rowParameters[] = {&own, &sources, &rowBytes};
    if (status.ok() && args.rows && rowBytes)
      status = nccl.launch("moert_scatter_rows", getWarpBlocks(args.rows, 8),
                           256, 0, stream, rowParameters);
    return status;
  });
}

Status NcclStream::unorder_wgrad(const moert_unorder_wgrad_args &args) {
  Status status = begin();
  int64_t copies = args.tokens * args.top_k;
  if (!status.ok() || copies == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch("moert_unorder_wgrad_kernel", getWarpBlocks(copies, 8),
                     256, 0, stream, parameters);
}
