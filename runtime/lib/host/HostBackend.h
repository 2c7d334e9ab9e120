// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'host'.

#ifndef MOERT_HOST_HOSTBACKEND_H
#define MOERT_HOST_HOSTBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Returns the backend for ranks that are threads of one process.
const BackendDescription &getHostBackend();

} // namespace moert

#endif // MOERT_HOST_HOSTBACKEND_H
