// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutation of tokens into slots and back.

#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/OrderedCopies.h"
#include <algorithm>
#include <vector>

using namespace moert;

Status moert::verifyPermute(const moert_order_args &args) {
  Status status = firstError(
      {verifyCopies(args), verifySizes({{"a capacity", args.capacity, 0}}),
       verifyVolume("the slots", {args.experts, args.capacity}),
       verifyVolume("the buffer", {args.experts, args.capacity, args.hidden}),
       verifyPointer("the buffer", args.buffer, {args.capacity, args.hidden})});
  if (status.ok() &&
      args.experts * args.capacity - 1 > getLargestInteger(args.ids_type))
    return error(MOERT_INVALID_ARGUMENT,
                 "expected numbers of %lld slots to fit %s, they do not",
                 static_cast<long long>(args.experts * args.capacity),
                 getTypeName(args.ids_type));
  return status;
}

Status moert::runPermute(const moert_order_args &args) {
  size_t rowBytes = args.hidden * moert_type_size(args.type);
  auto *rows = static_cast<char *>(args.buffer);
  std::vector<int64_t> used(args.experts, 0);
  Status status = forEachCopy(args, [&](int64_t token, int64_t at) -> Status {
    int64_t expert = 0, slot = -1;
    if (Status wrong = loadExpert("order", args.ids_type, args.ids, at,
                                  args.top_k, args.experts, expert);
        !wrong.ok())
      return wrong;
    if (used[expert] < args.capacity) {
      slot = expert * args.capacity + used[expert]++;
      if (rowBytes)
        std::memcpy(rows + slot * rowBytes,
                    static_cast<const char *>(args.x) + token * rowBytes,
                    rowBytes);
    }
    storeInteger(args.ids_type, args.slots, at, slot);
    return {};
  });
  if (!status.ok() || !rowBytes)
    return status;
  for (int64_t expert = 0; expert < args.experts; ++expert)
    std::memset(rows + (expert * args.capacity + used[expert]) * rowBytes, 0,
                (args.capacity - used[expert]) * rowBytes);
  return {};
}

Status moert::verifyUnpermute(const moert_unorder_args &args) {
  return firstError(
      {verifyFloat("a buffer", args.type),
       verifyInteger("slots", args.slots_type),
       verifyFloat("weights", args.weights_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"top_k", args.top_k, 1},
                    {"rows", args.rows, 0}}),
       verifyVolume("the buffer", {args.rows, args.hidden}),
       verifyVolume("the slots", {args.tokens, args.top_k}),
       verifyVolume("the result", {args.tokens, args.hidden}),
       verifyPointer("the buffer", args.buffer, {args.rows, args.hidden}),
       verifyPointer("the slots", args.slots, {args.tokens}),
       verifyPointer("the weights", args.weights, {args.tokens}),
       verifyPointer("the result", args.result, {args.tokens, args.hidden})});
}

Status moert::runUnpermute(const moert_unorder_args &args) {
  size_t elementBytes = moert_type_size(args.type);
  std::vector<double> sums(args.hidden), row(args.hidden);
  for (int64_t s = 0; s < args.tokens; ++s) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t j = 0; j < args.top_k; ++j) {
      int64_t at = s * args.top_k + j;
      int64_t slot = loadInteger(args.slots_type, args.slots, at);
      if (slot < -1 || slot >= args.rows)
        return error(MOERT_INVALID_ARGUMENT,
                     "unorder: expected slots in [-1, %lld), got %lld as copy "
                     "%lld of token %lld",
                     static_cast<long long>(args.rows),
                     static_cast<long long>(slot), static_cast<long long>(j),
                     static_cast<long long>(s));
      if (slot < 0)
        continue;
      double weight;
      loadRow(args.weights_type,
              static_cast<const char *>(args.weights) +
                  at * moert_type_size(args.weights_type),
              1, &weight);
      loadRow(args.type,
              static_cast<const char *>(args.buffer) +
                  slot * args.hidden * elementBytes,
              args.hidden, row.data());
      for (int64_t m = 0; m < args.hidden; ++m)
        sums[m] += weight * row[m];
    }
    storeRow(args.type, sums.data(), args.hidden,
             static_cast<char *>(args.result) + s * args.hidden * elementBytes);
  }
  return {};
}
