// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that fail on purpose.

#ifndef MOERT_TEST_CONFORMANCE_FAULTS_H
#define MOERT_TEST_CONFORMANCE_FAULTS_H

#include "Rank.h"

namespace conformance {

/// Returns a fault by its name, or null.
///   missing   the last rank never calls a collective
///   mismatch  the last rank calls it with another count
///   kind      the last rank calls another collective
///   order     the last rank calls two collectives in the opposite order
///   ragged    the last rank expects more rows than are sent
///   abort     the last rank aborts the job
///   kernel    the last rank's kernel finds a bad expert number
///   choice    it finds an expert twice for one token
///   slot      it finds one slot twice
///   count     it counts an assignment to an expert that does not exist
///   row       it sorts such an assignment
///   nodes     it finds a token with experts on too many nodes
///   limit     it finds a limit below 0
///   absent    the last rank does not create the communicator
///   leaves    the last rank leaves the job too early
///   stopped   the last rank's process is stopped by a signal (mpi)
///   ended     the last rank's process ends (not where ranks are threads)
///   killed    a signal ends it (not where ranks are threads)
///   unseen    a signal ends it while no rank waits for it (mpi)
///   impatient the last rank is late for a wait with a short deadline
///   alone     the last rank leaves before an exchange
///   apart     the last rank calls another exchange
///
/// Every other rank must see an error that names the cause well before ten
/// times the deadline; after `impatient`, the job continues.
using Fault = void (*)(Rank &rank);
Fault findFault(const std::string &name);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_FAULTS_H
