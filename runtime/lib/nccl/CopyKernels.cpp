// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies on GPUs.

#include "nccl/CopyPlan.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::copy(void *target, const void *source, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(nccl.driver().MemcpyAsync(cuda::toDevice(target),
                                                       cuda::toDevice(source),
                                                       bytes, stream),
                             "cuMemcpyAsync");
}

Status NcclStream::copyStrided(void *target,
                               const std::vector<int64_t> &targetStrides,
                               const void *source,
                               const std::vector<int64_t> &sourceStrides,
                               const std::vector<int64_t> &sizes,
                               size_t elementBytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  Box box = normalizeBox(sizes, targetStrides, sourceStrides);
  if (box.isEmpty)
    return {};
  CopyPlan plan = planCopy(box, target, source, elementBytes);
  cuda::BoxArgs &args = plan.args;
  void *parameters[] = {&args};
  switch (plan.way) {
  case CopyPlan::Way::Run:
    return copy(target, source, args.count * args.elementBytes);
  case CopyPlan::Way::Words:
    return nccl.launch("moert_copy_box", getBlocks(args.count), 256, 0, stream,
                       parameters);
  case CopyPlan::Way::Tiles:
    return nccl.launch("moert_copy_tiles", getBlocks(args.count / 4), 256, 0,
                       stream, parameters);
  }
  return {};
}

Status NcclStream::fillZero(void *target, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(
      nccl.driver().MemsetD8Async(cuda::toDevice(target), 0, bytes, stream),
      "cuMemsetD8Async");
}
