// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'mpi'.

#ifndef MOERT_MPI_MPIBACKEND_H
#define MOERT_MPI_MPIBACKEND_H

#include "core/Backend.h"
#include <memory>

namespace moert {

class MpiJob;

/// Returns the backend for processes that mpirun started.
const BackendDescription &getMpiBackend();

/// Creates the context of one rank in a job of processes.
moert_context *makeProcessContext(std::unique_ptr<MpiJob> job);

} // namespace moert

#endif // MOERT_MPI_MPIBACKEND_H
