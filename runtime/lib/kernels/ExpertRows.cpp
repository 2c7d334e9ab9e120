// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows sorted by expert.

#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/OrderedCopies.h"
#include <algorithm>
#include <numeric>
#include <vector>

using namespace moert;

Status moert::loadExpert(const char *kernel, moert_type type, const void *ids,
                         int64_t at, int64_t topK, int64_t experts,
                         int64_t &expert, int64_t least) {
  expert = loadInteger(type, ids, at);
  if (expert >= least && expert < experts)
    return {};
  return error(
      MOERT_INVALID_ARGUMENT,
      "%s: expected expert numbers in [%lld, %lld), got %lld as choice "
      "%lld of token %lld",
      kernel, static_cast<long long>(least), static_cast<long long>(experts),
      static_cast<long long>(expert), static_cast<long long>(at % topK),
      static_cast<long long>(at / topK));
}

Status moert::verifyFits(const char *what, int64_t number, moert_type type) {
  if (number <= getLargestInteger(type))
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected %s up to %lld to fit %s", what,
               static_cast<long long>(number), getTypeName(type));
}

Status moert::verifyExpertCounts(const moert_expert_counts_args &args) {
  Status status = firstError(
      {verifyInteger("expert numbers", args.ids_type),
       verifyInteger("counts", args.counts_type),
       verifySizes({{"parts", args.parts, 0},
                    {"tokens", args.tokens, 0},
                    {"top_k", args.top_k, 1},
                    {"experts", args.experts, 1}}),
       verifyVolume("the ids", {args.parts, args.tokens, args.top_k}),
       verifyVolume("the counts", {args.parts, args.experts}),
       verifyPointer("the ids", args.ids, {args.parts, args.tokens}),
       verifyPointer("the counts", args.counts, {args.parts})});
  return status.ok()
             ? verifyFits("counts", args.tokens * args.top_k, args.counts_type)
             : status;
}

Status moert::runExpertCounts(const moert_expert_counts_args &args) {
  int64_t copies = args.tokens * args.top_k;
  std::vector<int64_t> counts(args.experts);
  for (int64_t part = 0; part < args.parts; ++part) {
    std::fill(counts.begin(), counts.end(), 0);
    for (int64_t i = 0; i < copies; ++i) {
      int64_t expert;
      if (Status status =
              loadExpert("expert_counts", args.ids_type, args.ids,
                         part * copies + i, args.top_k, args.experts, expert,
                         /*least=*/-1);
          !status.ok())
        return status;
      if (expert >= 0)
        ++counts[expert];
    }
    for (int64_t e = 0; e < args.experts; ++e)
      storeInteger(args.counts_type, args.counts, part * args.experts + e,
                   counts[e]);
  }
  return {};
}

Status moert::verifyPermuteRows(const moert_order_rows_args &args) {
  Status status = firstError(
      {verifyCopies(args),
       verifyVolume("the rows", {args.tokens, args.top_k, args.hidden}),
       verifyPointer("the rows", args.rows, {args.tokens, args.hidden})});
  return status.ok()
             ? verifyFits("rows", args.tokens * args.top_k - 1, args.ids_type)
             : status;
}

Status moert::runPermuteRows(const moert_order_rows_args &args) {
  int64_t copies = args.tokens * args.top_k;
  std::vector<int64_t> next(args.experts + 1, 0);
  for (int64_t at = 0; at < copies; ++at) {
    int64_t expert;
    if (Status status = loadExpert("order_rows", args.ids_type, args.ids, at,
                                   args.top_k, args.experts, expert,
                                   /*least=*/-1);
        !status.ok())
      return status;
    // Assignments to no expert are counted in an unused place.
    ++next[expert + 1];
  }
  next[0] = 0;
  std::partial_sum(next.begin(), next.end(), next.begin());
  size_t rowBytes = args.hidden * moert_type_size(args.type);
  return forEachCopy(args, [&](int64_t token, int64_t at) -> Status {
    int64_t expert = loadInteger(args.ids_type, args.ids, at);
    int64_t row = expert < 0 ? -1 : next[expert]++;
    storeInteger(args.ids_type, args.slots, at, row);
    if (rowBytes && row >= 0)
      std::memcpy(static_cast<char *>(args.rows) + row * rowBytes,
                  static_cast<const char *>(args.x) + token * rowBytes,
                  rowBytes);
    return {};
  });
}
