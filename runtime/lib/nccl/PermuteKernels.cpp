// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutation of tokens on GPUs.

#include "nccl/NcclStream.h"
#include <algorithm>

using namespace moert;
using namespace moert::nccl;

/// Shared memory of a block for cursors, and maximum number of warps per block.
static constexpr int64_t kSharedBytes = 48 << 10, kPreferredBytes = 24 << 10;
static constexpr int64_t kMostWarps = 4;

static cuda::SortArgs makeSort(const void *ids, moert_type idsType,
                               int64_t parts, int64_t tokens, int64_t topK,
                               int64_t experts) {
  scratch::SortLayout layout(parts, tokens, topK, experts);
  cuda::SortArgs sort = {};
  sort.ids = ids;
  sort.idsType = idsType;
  sort.parts = parts;
  sort.tokens = tokens;
  sort.perToken = topK;
  sort.experts = experts;
  sort.idsPerExpert = 1;
  sort.isShared = experts * 8 <= kSharedBytes;
  sort.tileSize = layout.tileSize;
  sort.tiles = layout.tiles;
  return sort;
}

/// Returns the warps per block for a sort.
static int64_t getSortWarps(const cuda::SortArgs &sort) {
  return sort.isShared
             ? std::clamp<int64_t>(kPreferredBytes / 8 /
                                       std::max<int64_t>(sort.experts, 1),
                                   1, kMostWarps)
             : kMostWarps;
}

/// Returns the blocks of 8 warps for rows, in pieces of `each` words per lane.
static unsigned getPieceBlocks(int64_t rows, int64_t rowBytes, int64_t each) {
  int64_t pieceBytes = 32 * each * 16;
  return getWarpBlocks(
      rows * std::max<int64_t>(1, (rowBytes + pieceBytes - 1) / pieceBytes), 8);
}

/// Returns the bytes of a sort's cursors.
static size_t getCursorBytes(const cuda::SortArgs &sort) {
  return scratch::SortLayout(sort.parts, sort.tokens, sort.perToken,
                             sort.experts)
      .cursorBytes;
}

Status NcclStream::setBytes(void *target, unsigned char value, size_t bytes) {
  return bytes == 0
             ? Status()
             : nccl.driver().check(nccl.driver().MemsetD8Async(
                                       reinterpret_cast<cuda::Pointer>(target),
                                       value, bytes, stream),
                                   "cuMemsetD8Async");
}

/// Launches a kernel of a sort with one warp per tile.
Status NcclStream::launchSort(const char *kernel, const cuda::SortArgs &sort,
                              void **parameters) {
  int64_t warps = getSortWarps(sort);
  return nccl.launch(kernel, getWarpBlocks(sort.parts * sort.tiles, warps),
                     static_cast<unsigned>(32 * warps),
                     sort.isShared ? warps * sort.experts * 8 : 0, stream,
                     parameters);
}

Status NcclStream::countCopies(const cuda::SortArgs &sort, void *sums,
                               moert_type sumsType) {
  auto own = sort;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  Status status = launchSort("moert_count_copies", sort, parameters);
  long long parts = own.parts, tiles = own.tiles, experts = own.experts;
  int type = sumsType;
  void *sumParameters[] = {&own.cursors, &parts, &tiles,
                           &experts,     &sums,  &type};
  return status.ok() ? nccl.launch("moert_add_up",
                                   getWarpBlocks(experts, 32, 1 << 16) *
                                       static_cast<unsigned>(parts),
                                   1024, 0, stream, sumParameters)
                     : status;
}

Status NcclStream::placeCopies(const cuda::SortArgs &sort, long long rowBytes,
                               const void *x, void *buffer) {
  auto own = sort;
  void *parameters[] = {&own};
  Status status = launchSort("moert_place_copies", sort, parameters);
  cuda::MoveArgs move = {};
  move.slots = own.slots;
  move.slotsType = own.idsType;
  move.tokens = own.tokens;
  move.perToken = own.perToken;
  move.rowBytes = rowBytes;
  move.x = x;
  move.buffer = buffer;
  void *moveParameters[] = {&move};
  if (status.ok() && own.tokens && rowBytes)
    status = nccl.launch("moert_move_tokens",
                         getPieceBlocks(own.tokens, rowBytes, cuda::kMoveWords),
                         256, 0, stream, moveParameters);
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
  long long rowBytes = args.hidden * moert_type_size(args.type);
  return withScratch(
      scratch::order(args), [&](char *space) {
        sort.cursors = reinterpret_cast<long long *>(space);
        auto *counts = reinterpret_cast<long long *>(space + cursorBytes);
        Status status = countCopies(sort, counts, MOERT_I64);
        if (status.ok())
          status = placeCopies(sort, rowBytes, args.x, args.buffer);
        long long experts = args.experts, capacity = args.capacity;
        void *buffer = args.buffer;
        void *parameters[] = {&counts, &experts, &capacity, &rowBytes, &buffer};
        return status.ok() && rows && rowBytes
                   ? nccl.launch("moert_clear_free_slots",
                                 getWarpBlocks(rows, 8), 256, 0, stream,
                                 parameters)
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
  return withScratch(scratch::expert_counts(args), [&](char *space) {
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
  return withScratch(scratch::order_rows(args), [&](char *space) {
    sort.cursors = reinterpret_cast<long long *>(space);
    auto *counts = reinterpret_cast<long long *>(space + cursorBytes);
    Status status = countCopies(sort, counts, MOERT_I64);
    sort.counts = counts;
    return status.ok()
               ? placeCopies(sort, args.hidden * moert_type_size(args.type),
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
  return withScratch(scratch::limit_choices(args), [&](char *space) {
    sort.cursors = reinterpret_cast<long long *>(space);
    Status status = countCopies(sort, nullptr, MOERT_I64);
    if (!status.ok())
      return status;
    auto own = sort;
    const void *limits = args.limits;
    int limitsType = args.limits_type;
    cuda::Error *problem = nccl.getError();
    void *parameters[] = {&own, &limits, &limitsType, &problem};
    return launchSort("moert_limit_copies", sort, parameters);
  });
}

Status NcclStream::unorder(const moert_unorder_args &args) {
  Status status = begin();
  if (!status.ok() || args.tokens == 0 || args.hidden == 0)
    return status;
  auto own = args;
  cuda::Error *problem = nccl.getError();
  void *parameters[] = {&own, &problem};
  return nccl.launch("moert_unorder_kernel",
                     getPieceBlocks(args.tokens,
                                    args.hidden * moert_type_size(args.type),
                                    cuda::kUnorderWords),
                     256, 0, stream, parameters);
}
