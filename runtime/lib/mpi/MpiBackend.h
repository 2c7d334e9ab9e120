//===- MpiBackend.h - The backend 'mpi' -------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_MPI_MPIBACKEND_H
#define MOERT_MPI_MPIBACKEND_H

#include "core/Backend.h"

namespace moert {

/// Ranks that are processes started by mpirun.
const BackendDescription &getMpiBackend();

} // namespace moert

#endif // MOERT_MPI_MPIBACKEND_H
