// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of MPI through libmoert_mpi.

#ifndef MOERT_MPI_MPIMESSAGES_H
#define MOERT_MPI_MPIMESSAGES_H

#include "mpi/Messages.h"
#include "mpi/MpiTransport.h"
#include <memory>
#include <string>

namespace moert {

/// Loads libmoert_mpi; returns null and a reason if it cannot be loaded.
const moert_mpi_transport *loadMpiTransport(std::string &reason);

/// Returns the messages of MPI, which must have been started.
std::unique_ptr<Messages> makeMpiMessages(const moert_mpi_transport &table);

} // namespace moert

#endif // MOERT_MPI_MPIMESSAGES_H
