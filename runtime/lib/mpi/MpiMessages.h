// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of MPI, from libmoert_mpi.

#ifndef MOERT_MPI_MPIMESSAGES_H
#define MOERT_MPI_MPIMESSAGES_H

#include "mpi/Messages.h"
#include "mpi/MpiTransport.h"
#include <memory>
#include <string>

namespace moert {

/// Loads libmoert_mpi; null, with the reason, if there is no such library.
const moert_mpi_transport *loadMpiTransport(std::string &reason);

/// Messages of MPI's, once it has been started.
std::unique_ptr<Messages> makeMpiMessages(const moert_mpi_transport &table);

} // namespace moert

#endif // MOERT_MPI_MPIMESSAGES_H
