// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits on choices.

#include "core/Types.h"
#include "kernels/Kernels.h"
#include "kernels/OrderedCopies.h"
#include <vector>

using namespace moert;

Status moert::verifyLimitChoices(const moert_limit_choices_args &args) {
  if (Status status = verifyKind(args.kind); !status.ok())
    return status;
  Status status =
      firstError({verifyInteger("expert numbers", args.ids_type),
                  verifyInteger("limits", args.limits_type),
                  verifySizes({{"tokens", args.tokens, 0},
                               {"top_k", args.top_k, 1},
                               {"experts", args.experts, 1},
                               {"limits", args.groups, 1}}),
                  verifyVolume("the ids", {args.tokens, args.top_k}),
                  verifyPointer("the ids", args.ids, {args.tokens}),
                  verifyPointer("the limits", args.limits, {args.groups}),
                  verifyPointer("the result", args.result, {args.tokens})});
  if (!status.ok())
    return status;
  if (args.experts % args.groups != 0)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected experts that divide by the %lld limits, got %lld",
                 static_cast<long long>(args.groups),
                 static_cast<long long>(args.experts));
  return {};
}

Status moert::runLimitChoices(const moert_limit_choices_args &args) {
  std::vector<int64_t> left(args.groups);
  for (int64_t i = 0; i < args.groups; ++i) {
    left[i] = loadInteger(args.limits_type, args.limits, i);
    if (left[i] < 0)
      return error(MOERT_INVALID_ARGUMENT,
                   "limit_choices: expected limits of at least 0, got %lld as "
                   "number %lld of %lld",
                   static_cast<long long>(left[i]), static_cast<long long>(i),
                   static_cast<long long>(args.groups));
  }
  int64_t perLimit = args.experts / args.groups;
  return forEachCopy(args, [&](int64_t, int64_t at) -> Status {
    int64_t expert;
    if (Status status =
            loadExpert("limit_choices", args.ids_type, args.ids, at, args.top_k,
                       args.experts, expert, /*least=*/-1);
        !status.ok())
      return status;
    bool fits = expert >= 0 && left[expert / perLimit] > 0;
    if (fits)
      --left[expert / perLimit];
    storeInteger(args.ids_type, args.result, at, fits ? expert : -1);
    return {};
  });
}
