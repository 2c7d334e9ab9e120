// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'nccl'.

#ifndef MOERT_NCCL_NCCLBACKEND_H
#define MOERT_NCCL_NCCLBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Ranks that are processes with a GPU each.
const BackendDescription &getNcclBackend();

} // namespace moert

#endif // MOERT_NCCL_NCCLBACKEND_H
