// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments of tokens in order.

#ifndef MOERT_KERNELS_ORDEREDCOPIES_H
#define MOERT_KERNELS_ORDEREDCOPIES_H

#include "core/Types.h"
#include "kernels/Verify.h"

namespace moert {

/// Loads the expert of the assignment at index `at` of the ids, [S, k], which
/// must be at least `least`: 0, or -1 for kernels that accept "no expert".
Status loadExpert(const char *kernel, moert_type type, const void *ids,
                  int64_t at, int64_t topK, int64_t experts, int64_t &expert,
                  int64_t least = 0);

/// Checks that a type can hold a number.
Status verifyFits(const char *what, int64_t number, moert_type type);

/// Checks that an order is known.
inline Status verifyKind(moert_order_kind kind) {
  if (kind == MOERT_ORDER_CHOICE || kind == MOERT_ORDER_TOKEN)
    return {};
  return error(MOERT_INVALID_ARGUMENT, "expected a known kind of order, got %d",
               static_cast<int>(kind));
}

/// Checks the arguments of kernels that take tokens [S, M] and assign a slot to
/// each of their assignments.
template <typename Args> Status verifyCopies(const Args &args) {
  if (Status status = verifyKind(args.kind); !status.ok())
    return status;
  if (moert_type_size(args.type) == 0)
    return error(MOERT_INVALID_ARGUMENT, "expected tokens of a known type");
  return firstError(
      {verifyInteger("expert numbers", args.ids_type),
       verifySizes({{"tokens", args.tokens, 0},
                    {"a hidden size", args.hidden, 0},
                    {"top_k", args.top_k, 1},
                    {"experts", args.experts, 1}}),
       verifyVolume("the tokens", {args.tokens, args.hidden}),
       verifyVolume("the ids", {args.tokens, args.top_k}),
       verifyPointer("the tokens", args.x, {args.tokens, args.hidden}),
       verifyPointer("the ids", args.ids, {args.tokens}),
       verifyPointer("the slots", args.slots, {args.tokens})});
}

/// Calls `visit` with the token and the index into the ids of each assignment,
/// in the order of `args`, until the first error.
template <typename Args, typename Visit>
Status forEachCopy(const Args &args, Visit visit) {
  bool byChoice = args.kind == MOERT_ORDER_CHOICE;
  int64_t outer = byChoice ? args.top_k : args.tokens;
  int64_t inner = byChoice ? args.tokens : args.top_k;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < inner; ++j) {
      int64_t token = byChoice ? j : i, copy = byChoice ? i : j;
      if (Status status = visit(token, token * args.top_k + copy); !status.ok())
        return status;
    }
  return {};
}

} // namespace moert

#endif // MOERT_KERNELS_ORDEREDCOPIES_H
