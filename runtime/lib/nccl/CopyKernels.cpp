//===- CopyKernels.cpp - Copies on a device ---------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/StridedCopy.h"
#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

static cuda::Pointer toDevice(const void *pointer) {
  return reinterpret_cast<cuda::Pointer>(pointer);
}

Status NcclStream::copy(void *target, const void *source, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(nccl.driver().MemcpyAsync(toDevice(target),
                                                       toDevice(source), bytes,
                                                       stream),
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
  // What is contiguous on both sides needs no kernel.
  bool contiguous = box.sizes.empty() ||
                    (box.sizes.size() == 1 && box.targetStrides[0] == 1 &&
                     box.sourceStrides[0] == 1);
  if (contiguous)
    return copy(target, source,
                (box.sizes.empty() ? 1 : box.sizes[0]) * elementBytes);
  cuda::BoxArgs args{};
  args.target = target;
  args.source = source;
  args.count = 1;
  args.dims = static_cast<int>(box.sizes.size());
  args.elementBytes = static_cast<int>(elementBytes);
  for (int d = 0; d < args.dims; ++d) {
    args.sizes[d] = box.sizes[d];
    args.targetStrides[d] = box.targetStrides[d];
    args.sourceStrides[d] = box.sourceStrides[d];
    args.count *= box.sizes[d];
  }
  void *parameters[] = {&args};
  return nccl.launch("moert_copy_box", getBlocks(args.count), 256, 0, stream,
                     parameters);
}

Status NcclStream::fillZero(void *target, size_t bytes) {
  Status status = begin();
  if (!status.ok())
    return status;
  return nccl.driver().check(
      nccl.driver().MemsetD8Async(toDevice(target), 0, bytes, stream),
      "cuMemsetD8Async");
}
