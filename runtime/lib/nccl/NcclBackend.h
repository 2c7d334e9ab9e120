//===- NcclBackend.h - The backend 'nccl' -----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_NCCLBACKEND_H
#define MOERT_NCCL_NCCLBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Ranks that are processes with a GPU each.
const BackendDescription &getNcclBackend();

} // namespace moert

#endif // MOERT_NCCL_NCCLBACKEND_H
