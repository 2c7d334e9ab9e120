// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend 'mpi'.

#ifndef MOERT_MPI_MPIBACKEND_H
#define MOERT_MPI_MPIBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Ranks that are processes started by mpirun.
const BackendDescription &getMpiBackend();

} // namespace moert

#endif // MOERT_MPI_MPIBACKEND_H
