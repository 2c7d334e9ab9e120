//===- NoPlanners.cpp - What a build without planners says ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Guard.h"

using namespace moert;

static moert_status refuse(const char *call) {
  return guard(nullptr, call, [] {
    return Status(MOERT_UNAVAILABLE,
                  "this libmoert has no planners: it was built of runtime/ "
                  "alone, without cmake/, lib/Cost and lib/Schedule of the "
                  "compiler's tree beside it");
  });
}

moert_status moert_plan_machine_default_sized(moert_plan_machine_config *,
                                              size_t) {
  return refuse("moert_plan_machine_default");
}

// The parentheses keep the header's macro away.
moert_status(moert_plan_machine_default)(moert_plan_machine_config *) {
  return refuse("moert_plan_machine_default");
}

moert_status moert_plan_machine_create(const moert_plan_machine_config *,
                                       moert_plan_machine **) {
  return refuse(__func__);
}

moert_status moert_plan_machine_destroy(moert_plan_machine *) {
  return refuse(__func__);
}

moert_status moert_plan_collective_time(const moert_plan_machine *,
                                        moert_plan_collective, const int64_t *,
                                        int64_t, int64_t, double, double *) {
  return refuse(__func__);
}

moert_status moert_plan_all_to_all(const moert_plan_machine *, int64_t, int64_t,
                                   int64_t, int64_t, int64_t,
                                   moert_plan_all_to_all_result *) {
  return refuse(__func__);
}

moert_status moert_plan_degree(const moert_plan_machine *,
                               const moert_plan_layer *, double, int64_t,
                               moert_plan_degree_result *) {
  return refuse(__func__);
}
