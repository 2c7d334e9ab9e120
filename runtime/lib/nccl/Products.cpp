//===- Products.cpp - Products of matrices on a device ----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nccl/GateArgs.h"
#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

static char *at(const void *data, int64_t element, moert_type type) {
  return static_cast<char *>(const_cast<void *>(data)) +
         element * static_cast<int64_t>(moert_type_size(type));
}

Status NcclStream::convert(const void *source, moert_type sourceType,
                           void *target, moert_type targetType, int64_t count,
                           const Jitter &jitter) {
  cuda::ConvertArgs args{};
  args.source = source;
  args.target = target;
  args.count = count;
  args.sourceType = sourceType;
  args.targetType = targetType;
  args.jitter = jitter.factor;
  args.seed = jitter.seed;
  args.firstToken = jitter.firstToken;
  args.hidden = jitter.hidden;
  void *parameters[] = {&args};
  return nccl.launch("moert_convert", getBlocks(count), 256, 0, stream,
                     parameters);
}

/// cuBLAS counts columns first: the turned product of the operands in the other
/// order.
Status NcclStream::callBlas(const Matrix &a, const Matrix &b, void *result,
                            moert_type resultType, int64_t rows, int64_t inner,
                            int64_t columns, int64_t batches, bool adds,
                            int64_t lineA) {
  lineA = std::max(lineA, a.isTurned ? rows : inner);
  std::string reason;
  const Blas *blas = loadBlas(reason);
  if (!blas)
    return error(MOERT_UNAVAILABLE, "products need cuBLAS: %s", reason.c_str());
  if (!blasHandle &&
      (blas->Create(&blasHandle) != 0 || blas->SetStream(blasHandle, stream)))
    return error(MOERT_BACKEND_ERROR, "cuBLAS could not be set up");
  if (std::max({rows, inner, columns, batches, lineA}) > INT32_MAX)
    return error(MOERT_UNAVAILABLE, "cuBLAS takes sizes up to 2^31 - 1");
  // Numbers of CUDA's and cuBLAS's element and computation types.
  static const int cudaTypes[] = {1, 0, 2, 14};
  constexpr int kCompute32 = 68, kCompute64 = 70, kDefaultAlgorithm = -1;
  double one64 = 1, more64 = adds;
  float one32 = 1, more32 = adds;
  bool isWide = a.type == MOERT_F64;
  auto toInt = [](int64_t size) { return static_cast<int>(size); };
  int code = blas->GemmStridedBatchedEx(
      blasHandle, b.isTurned, a.isTurned, toInt(columns), toInt(rows),
      toInt(inner), isWide ? static_cast<void *>(&one64) : &one32, b.data,
      cudaTypes[b.type], toInt(b.isTurned ? inner : columns), inner * columns,
      a.data, cudaTypes[a.type], toInt(lineA),
      (a.isTurned ? inner : rows) * lineA,
      isWide ? static_cast<void *>(&more64) : &more32, result,
      cudaTypes[resultType], toInt(columns), rows * columns, toInt(batches),
      isWide ? kCompute64 : kCompute32, kDefaultAlgorithm);
  if (code == 0)
    return {};
  return error(MOERT_BACKEND_ERROR, "cublasGemmStridedBatchedEx: error %d",
               code);
}

Status NcclStream::multiply(const Matrix &a, const Matrix &b, void *result,
                            moert_type resultType, int64_t rows, int64_t inner,
                            int64_t columns) {
  if (rows == 0 || columns == 0)
    return {};
  // Products of few or short sums are over before cuBLAS has chosen an
  // algorithm.
  constexpr double kSmall = 1 << 22;
  std::string reason;
  bool hasBlas = loadBlas(reason);
  bool isSmall = inner <= 512 && static_cast<double>(rows) *
                                         static_cast<double>(inner) *
                                         static_cast<double>(columns) <=
                                     kSmall;
  if (isSmall || !hasBlas) {
    cuda::ProductArgs args{a.data,     b.data,     result,    rows,
                           inner,      columns,    a.type,    b.type,
                           resultType, a.isTurned, b.isTurned};
    int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
    void *parameters[] = {&args};
    return nccl.launch("moert_product",
                       static_cast<unsigned>(std::min<int64_t>(tiles, 1 << 20)),
                       256, 0, stream, parameters);
  }

  // cuBLAS takes operands of one type, and a result of this or of the sums'
  // type. Others are converted, a few rows of `a` at a time.
  moert_type sums = getSumType(a.type, b.type);
  moert_type type = a.type == b.type ? a.type : sums;
  bool convertsA = a.type != type, convertsB = b.type != type;
  bool convertsResult = resultType != type && resultType != sums;
  bool slicesB = a.isTurned && !b.isTurned;
  int64_t length = a.isTurned ? inner : rows, width = a.isTurned ? rows : inner;
  int64_t step = length;
  if (convertsA || convertsResult || (convertsB && slicesB))
    step = std::clamp<int64_t>((8 << 20) / std::max(width, columns), 1, length);
  // Rows of a turned operand cannot be cut when the other's lie across.
  if (a.isTurned && b.isTurned)
    step = length;
  int64_t typeBytes = moert_type_size(type), sumBytes = moert_type_size(sums);
  int64_t bytesA = convertsA ? alignScratch(step * width * typeBytes) : 0;
  int64_t bytesB =
      convertsB ? alignScratch((slicesB ? step : inner) * columns * typeBytes)
                : 0;
  int64_t bytesResult =
      convertsResult
          ? alignScratch((a.isTurned ? rows : step) * columns * sumBytes)
          : 0;
  auto work = [&](char *space) {
    char *spaceB = space + bytesA, *spaceResult = spaceB + bytesB;
    Status status;
    for (int64_t begin = 0; begin < length && status.ok(); begin += step) {
      int64_t count = std::min(step, length - begin);
      Matrix ownA{at(a.data, begin * width, a.type), type, a.isTurned};
      Matrix ownB{slicesB ? at(b.data, begin * columns, b.type) : b.data, type,
                  b.isTurned};
      if (convertsA) {
        status = convert(ownA.data, a.type, space, type, count * width);
        ownA.data = space;
      }
      if (convertsB) {
        if (status.ok() && (slicesB || begin == 0))
          status = convert(ownB.data, b.type, spaceB, type,
                           (slicesB ? count : inner) * columns);
        ownB.data = spaceB;
      }
      int64_t firstRow = a.isTurned ? 0 : begin;
      void *own = convertsResult ? spaceResult
                                 : at(result, firstRow * columns, resultType);
      int64_t ownRows = a.isTurned ? rows : count;
      if (status.ok())
        status = callBlas(ownA, ownB, own, convertsResult ? sums : resultType,
                          ownRows, a.isTurned ? count : inner, columns,
                          /*batches=*/1, /*adds=*/a.isTurned && begin > 0);
      bool isWhole = !a.isTurned || begin + count == length;
      if (status.ok() && convertsResult && isWhole)
        status = convert(spaceResult, sums,
                         at(result, firstRow * columns, resultType), resultType,
                         ownRows * columns);
    }
    return status;
  };
  int64_t bytes = bytesA + bytesB + bytesResult;
  return bytes ? withScratch(bytes, work) : work(nullptr);
}
