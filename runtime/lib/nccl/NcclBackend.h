// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'nccl'.

#ifndef MOERT_NCCL_NCCLBACKEND_H
#define MOERT_NCCL_NCCLBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Returns the backend for processes with one GPU each.
const BackendDescription &getNcclBackend();

} // namespace moert

#endif // MOERT_NCCL_NCCLBACKEND_H
