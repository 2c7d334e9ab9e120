// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of backends.

#include "core/Backend.h"
#include "host/HostBackend.h"
#include "mpi/MpiBackend.h"
#include "nccl/NcclBackend.h"
#include <cstring>

using namespace moert;

const BackendDescription *moert::findBackend(const char *name) {
  for (const BackendDescription *backend :
       {&getHostBackend(), &getMpiBackend(), &getNcclBackend()})
    if (std::strcmp(backend->name, name) == 0)
      return backend;
  return nullptr;
}
