//===- GateKernels.cpp - Gates on a device ----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"

using namespace moert;
using namespace moert::nccl;

Status NcclStream::gate(const moert_gate_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0)
    return status;
  if (args.kind == MOERT_GATE_GSHARD || args.projection || args.jitter != 0)
    return error(MOERT_UNAVAILABLE,
                 "the device's gates are of kind softmax and sigmoid, without "
                 "projection and jitter");
  // Scores, choice, and the groups' scores of one token.
  size_t bytes = static_cast<size_t>(2 * args.experts + args.num_groups) *
                 (args.type == MOERT_F64 ? 8 : 4);
  constexpr size_t kShared = 48 << 10;
  if (bytes > kShared || args.tokens > INT32_MAX)
    return error(MOERT_UNAVAILABLE,
                 "the device's gate takes up to %zu bytes of scores a token "
                 "and 2^31 - 1 tokens, got %zu and %lld",
                 kShared, bytes, static_cast<long long>(args.tokens));
  auto own = args;
  void *parameters[] = {&own};
  return nccl.launch("moert_gate_kernel", static_cast<unsigned>(args.tokens),
                     args.experts <= 64 ? 64 : 256, bytes, stream, parameters);
}
