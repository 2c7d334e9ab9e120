// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'mpi'.

#ifndef MOERT_MPI_MPIBACKEND_H
#define MOERT_MPI_MPIBACKEND_H

#include "core/Backend.h"
#include <memory>

namespace moert {

class MpiJob;

/// Ranks that are processes started by mpirun.
const BackendDescription &getMpiBackend();

/// The context of a rank of a job of processes.
moert_context *makeProcessContext(std::unique_ptr<MpiJob> job);

} // namespace moert

#endif // MOERT_MPI_MPIBACKEND_H
