// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface: plans of ragged exchanges.

#include "core/Guard.h"
#include "core/RaggedPlan.h"

using namespace moert;

moert_status moert_ragged_plan(
    moert_context *context, int64_t position, int64_t ranks,
    int64_t joined_position, int64_t joined, const int32_t *members,
    int64_t experts, int64_t limit, const void *counts, moert_type counts_type,
    void *send_offsets, void *send_sizes, void *receive_offsets,
    void *receive_sizes, void *run_offsets, void *run_sizes, moert_type type) {
  return guard(context, __func__, [&] {
    if (!context)
      return missing("a context");
    RaggedPlan plan{
        position,      ranks,        joined_position, joined,
        members,       experts,      limit,           counts,
        counts_type,   send_offsets, send_sizes,      receive_offsets,
        receive_sizes, run_offsets,  run_sizes,       type};
    Status status = plan.verify();
    return status.ok() ? plan.make() : status;
  });
}
