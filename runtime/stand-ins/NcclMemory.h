//===- NcclMemory.h - Memory that communicators know ------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_STANDINS_NCCLMEMORY_H
#define MOERT_STANDINS_NCCLMEMORY_H

#include "StandIn.h"
#include "nccl/NcclLibrary.h"

namespace moert::standin {

/// Ends the process when memory is still registered with a communicator.
void verifyNoneRegistered(nccl::Comm comm);
/// Forgets it with a communicator that is aborted.
void dropRegistrations(nccl::Comm comm);

} // namespace moert::standin

#endif // MOERT_STANDINS_NCCLMEMORY_H
