//===- HostBackend.h - The backend 'host' -----------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_HOST_HOSTBACKEND_H
#define MOERT_HOST_HOSTBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Ranks that are threads of one process.
const BackendDescription &getHostBackend();

} // namespace moert

#endif // MOERT_HOST_HOSTBACKEND_H
