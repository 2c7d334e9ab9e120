// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is registered with communicators.

#ifndef MOERT_STANDINS_NCCLMEMORY_H
#define MOERT_STANDINS_NCCLMEMORY_H

#include "StandIn.h"
#include "nccl/NcclLibrary.h"

namespace moert::standin {

/// Ends the process if memory is still registered with a communicator.
void verifyNoneRegistered(nccl::Comm comm);
/// Removes the registrations of a communicator that is aborted.
void dropRegistrations(nccl::Comm comm);

} // namespace moert::standin

#endif // MOERT_STANDINS_NCCLMEMORY_H
