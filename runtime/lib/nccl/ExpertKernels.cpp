//===- ExpertKernels.cpp - The expert networks on a device ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

/// result[b] = x[b] times matrix[b], all row-major: as cuBLAS counts columns
/// first, the transposed product of the operands in the other order.
Status NcclStream::multiply(const void *x, const void *matrix, void *result,
                            int64_t rows, int64_t inner, int64_t columns,
                            int64_t batches, moert_type type) {
  std::string reason;
  const Blas *blas = loadBlas(reason);
  if (!blas)
    return error(MOERT_UNAVAILABLE, "experts need cuBLAS: %s", reason.c_str());
  if (!blasHandle &&
      (blas->Create(&blasHandle) != 0 || blas->SetStream(blasHandle, stream)))
    return error(MOERT_BACKEND_ERROR, "cuBLAS could not be set up");
  if (std::max({rows, inner, columns, batches}) > INT32_MAX)
    return error(MOERT_UNAVAILABLE, "cuBLAS takes sizes up to 2^31 - 1");
  // Numbers of CUDA's and cuBLAS's element and computation types.
  static const int cudaTypes[] = {1, 0, 2, 14};
  constexpr int kCompute32 = 68, kCompute64 = 70, kDefaultAlgorithm = -1;
  double one64 = 1, zero64 = 0;
  float one32 = 1, zero32 = 0;
  bool wide = type == MOERT_F64;
  const void *one = wide ? static_cast<void *>(&one64) : &one32;
  const void *zero = wide ? static_cast<void *>(&zero64) : &zero32;
  int element = cudaTypes[type];
  int code = blas->GemmStridedBatchedEx(
      blasHandle, 0, 0, static_cast<int>(columns), static_cast<int>(rows),
      static_cast<int>(inner), one, matrix, element, static_cast<int>(columns),
      inner * columns, x, element, static_cast<int>(inner), rows * inner, zero,
      result, element, static_cast<int>(columns), rows * columns,
      static_cast<int>(batches), wide ? kCompute64 : kCompute32,
      kDefaultAlgorithm);
  if (code == 0)
    return {};
  return error(MOERT_BACKEND_ERROR, "cublasGemmStridedBatchedEx: error %d",
               code);
}

Status NcclStream::experts(const moert_experts_args &args) {
  Status status = begin();
  int64_t E = args.experts, R = args.rows, M = args.hidden, H = args.ffn;
  if (!status.ok() || E == 0 || R == 0 || M == 0)
    return status;
  size_t elementBytes = moert_type_size(args.type);
  if (H == 0)
    return fillZero(args.result, E * R * M * elementBytes);
  bool isSwiGLU = args.kind == MOERT_EXPERTS_SWIGLU;
  long long count = E * R * H;
  return withScratch(
      (isSwiGLU ? 2 : 1) * count * elementBytes, [&](char *space) {
        void *inner = space,
             *up = isSwiGLU ? space + count * elementBytes : nullptr;
        Status status = multiply(args.x, args.w1, inner, R, M, H, E, args.type);
        if (status.ok() && isSwiGLU)
          status = multiply(args.x, args.w2, up, R, M, H, E, args.type);
        int activation = isSwiGLU ? MOERT_SILU : args.activation,
            type = args.type;
        void *parameters[] = {&inner, &up, &count, &activation, &type};
        if (status.ok())
          status = nccl.launch("moert_activate", getBlocks(count), 256, 0,
                               stream, parameters);
        if (status.ok())
          status = multiply(inner, args.w3, args.result, R, H, M, E, args.type);
        return status;
      });
}
