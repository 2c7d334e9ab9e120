// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error messages of device kernels.

#include "nccl/KernelErrors.h"
#include "core/Status.h"
#include <algorithm>

using namespace moert;

std::string cuda::describe(const Error &error) {
  long long perToken = std::max(error.perToken, 1LL);
  long long copy = error.at % perToken, token = error.at / perToken;
  auto slot = [&](const char *kernel) {
    return format("%s: expected slots in [-1, %lld), got %lld as copy %lld of "
                  "token %lld",
                  kernel, error.limit, error.value, copy, token);
  };
  auto expert = [&](const char *kernel, int least) {
    return format("%s: expected expert numbers in [%d, %lld), got %lld as "
                  "choice %lld of token %lld",
                  kernel, least, error.limit, error.value, copy, token);
  };
  switch (error.code) {
  case kOrderExpert:
    return expert("order", 0);
  case kOrderRowsExpert:
    return expert("order_rows", -1);
  case kExpertCountsExpert:
    return expert("expert_counts", -1);
  case kDistinctNodesExpert:
    return expert("distinct_nodes", -1);
  case kDistinctNodesWidth:
    return format("distinct_nodes: expected experts of a token on at most %lld "
                  "nodes, got one on another as choice %lld of token %lld",
                  error.limit, copy, token);
  case kLimitChoicesExpert:
    return expert("limit_choices", -1);
  case kLimitChoicesLimit:
    return format("limit_choices: expected limits of at least 0, got %lld as "
                  "number %lld of %lld",
                  error.value, error.at, error.limit);
  case kUnorderSlot:
    return slot("unorder");
  case kScatterSlot:
    return slot("scatter");
  case kScatterSlotAgain:
    return format("scatter: expected each slot at most once, got %lld again as "
                  "copy %lld of token %lld",
                  error.value, copy, token);
  case kUnorderWgradSlot:
    return slot("unorder_wgrad");
  case kGateGradExpert:
    return format("gate_grad: expected expert numbers in [0, %lld), distinct "
                  "for a token, got %lld as choice %lld of token %lld",
                  error.limit, error.value, copy, token);
  case kExpertsRows:
    return format("experts: expected counts of at least 0 and at most %lld "
                  "rows in total, got %lld rows of expert %lld after %lld",
                  error.limit, error.value, error.at, error.perToken);
  default:
    return format("a device kernel reported error %d, which has no words",
                  error.code);
  }
}
