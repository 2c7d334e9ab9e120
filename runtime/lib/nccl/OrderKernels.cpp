//===- OrderKernels.cpp - Tokens to experts and back, on a device -*- C++
//-*-===//
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

/// Copies of so many tokens, in tiles so large that a device has warps enough
/// for all of them, and cursors stay few.
static cuda::SortArgs makeSort(const void *ids, moert_type idsType,
                               int64_t parts, int64_t tokens, int64_t topK,
                               int64_t experts) {
  constexpr int64_t kTiles = 512, kLeast = 256;
  int64_t copies = tokens * topK;
  cuda::SortArgs sort = {};
  sort.ids = ids;
  sort.idsType = idsType;
  sort.parts = parts;
  sort.tokens = tokens;
  sort.perToken = topK;
  sort.experts = experts;
  sort.idsPerExpert = 1;
  sort.tileSize =
      std::max(kLeast, ((copies + kTiles - 1) / kTiles + 31) / 32 * 32);
  sort.tiles =
      std::max<int64_t>(1, (copies + sort.tileSize - 1) / sort.tileSize);
  return sort;
}

/// Bytes of its cursors.
static size_t getCursorBytes(const cuda::SortArgs &sort) {
  return alignScratch(sort.parts * sort.experts * sort.tiles *
                      sizeof(*sort.cursors));
}

Status NcclStream::setBytes(void *target, unsigned char value, size_t bytes) {
  return bytes == 0
             ? Status()
             : nccl.driver().check(nccl.driver().MemsetD8Async(
                                       reinterpret_cast<cuda::Pointer>(target),
                                       value, bytes, stream),
                                   "cuMemsetD8Async");
}

Status NcclStream::addUp(long long *counts, long long lines, long long length,
                         void *sums, moert_type sumsType) {
  int type = sumsType;
  void *parameters[] = {&counts, &lines, &length, &sums, &type};
  return nccl.launch("moert_add_up", getWarpBlocks(lines, 8), 256, 0, stream,
                     parameters);
}

Status NcclStream::countCopies(const cuda::SortArgs &sort, void *sums,
                               moert_type sumsType) {
  auto own = sort;
  cuda::Error *problem = nccl.getError();
  Status status = setBytes(own.cursors, 0, getCursorBytes(own));
  void *parameters[] = {&own, &problem};
  if (status.ok())
    status = nccl.launch("moert_count_copies",
                         getWarpBlocks(own.parts * own.tiles, 8), 256, 0,
                         stream, parameters);
  if (status.ok())
    status =
        addUp(own.cursors, own.parts * own.experts, own.tiles, sums, sumsType);
  return status;
}

Status NcclStream::placeCopies(const cuda::SortArgs &sort, long long rows,
                               long long rowBytes, const void *x,
                               void *buffer) {
  auto own = sort;
  // -1 in each: a row of no token.
  Status status = setBytes(own.sources, 0xff, rows * sizeof(*own.sources));
  void *parameters[] = {&own};
  if (status.ok())
    status = nccl.launch("moert_place_copies", getWarpBlocks(own.tiles, 8), 256,
                         0, stream, parameters);
  // Slots that are free are zeros; behind the rows that are sent is nothing.
  int clears = own.bases ? 0 : 1;
  void *rowParameters[] = {&own.sources, &rows,   &rowBytes,
                           &x,           &buffer, &clears};
  if (status.ok() && rows && rowBytes)
    status = nccl.launch("moert_move_rows", getWarpBlocks(rows, 8), 256, 0,
                         stream, rowParameters);
  return status;
}

Status NcclStream::order(const moert_order_args &args) {
  Status status = begin();
  if (!status.ok())
    return status;
  long long rows = args.experts * args.capacity;
  cuda::SortArgs sort = makeSort(args.ids, args.ids_type, 1, args.tokens,
                                 args.top_k, args.experts);
  sort.byChoice = args.kind == MOERT_ORDER_CHOICE;
  sort.code = cuda::kOrderExpert;
  sort.capacity = args.capacity;
  sort.slots = args.slots;
  size_t cursorBytes = getCursorBytes(sort);
  return withScratch(
      cursorBytes + rows * sizeof(*sort.sources), [&](char *space) {
        sort.cursors = reinterpret_cast<long long *>(space);
        sort.sources = reinterpret_cast<long long *>(space + cursorBytes);
        Status status = countCopies(sort, nullptr, MOERT_I64);
        return status.ok()
                   ? placeCopies(sort, rows,
                                 args.hidden * moert_type_size(args.type),
                                 args.x, args.buffer)
                   : status;
      });
}

Status NcclStream::expert_counts(const moert_expert_counts_args &args) {
  Status status = begin();
  if (!status.ok() || args.parts == 0)
    return status;
  cuda::SortArgs sort = makeSort(args.ids, args.ids_type, args.parts,
                                 args.tokens, args.top_k, args.experts);
  sort.code = cuda::kExpertCountsExpert;
  sort.allowsNone = 1;
  return withScratch(getCursorBytes(sort), [&](char *space) {
    sort.cursors = reinterpret_cast<long long *>(space);
    return countCopies(sort, args.counts, args.counts_type);
  });
}

Status NcclStream::order_rows(const moert_order_rows_args &args) {
  Status status = begin();
  long long rows = args.tokens * args.top_k;
  if (!status.ok() || rows == 0)
    return status;
  cuda::SortArgs sort = makeSort(args.ids, args.ids_type, 1, args.tokens,
                                 args.top_k, args.experts);
  sort.byChoice = args.kind == MOERT_ORDER_CHOICE;
  sort.code = cuda::kOrderRowsExpert;
  sort.allowsNone = 1;
  sort.slots = args.slots;
  size_t cursorBytes = getCursorBytes(sort);
  size_t baseBytes = alignScratch(args.experts * sizeof(*sort.bases));
  return withScratch(
      cursorBytes + baseBytes + rows * sizeof(*sort.sources), [&](char *space) {
        sort.cursors = reinterpret_cast<long long *>(space);
        auto *bases = reinterpret_cast<long long *>(space + cursorBytes);
        sort.sources =
            reinterpret_cast<long long *>(space + cursorBytes + baseBytes);
        Status status = countCopies(sort, bases, MOERT_I64);
        if (status.ok())
          status = addUp(bases, 1, args.experts, nullptr, MOERT_I64);
        sort.bases = bases;
        return status.ok()
                   ? placeCopies(sort, rows,
                                 args.hidden * moert_type_size(args.type),
                                 args.x, args.rows)
                   : status;
      });
}

Status NcclStream::limit_choices(const moert_limit_choices_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0)
    return status;
  cuda::SortArgs sort = makeSort(args.ids, args.ids_type, 1, args.tokens,
                                 args.top_k, args.groups);
  sort.byChoice = args.kind == MOERT_ORDER_CHOICE;
  sort.idsPerExpert = args.experts / args.groups;
  sort.code = cuda::kLimitChoicesExpert;
  sort.allowsNone = 1;
  sort.slots = args.result;
  return withScratch(getCursorBytes(sort), [&](char *space) {
    sort.cursors = reinterpret_cast<long long *>(space);
    Status status = countCopies(sort, nullptr, MOERT_I64);
    if (!status.ok())
      return status;
    auto own = sort;
    const void *limits = args.limits;
    int limitsType = args.limits_type;
    cuda::Error *problem = nccl.getError();
    void *parameters[] = {&own, &limits, &limitsType, &problem};
    return nccl.launch("moert_limit_copies", getWarpBlocks(own.tiles, 8), 256,
                       0, stream, parameters);
  });
}

Status NcclStream::unorder(const moert_unorder_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0 || args.hidden == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch(
      "moert_unorder_kernel",
      static_cast<unsigned>(std::min<int64_t>(args.tokens, 1 << 20)), 256, 0,
      stream, parameters);
}
