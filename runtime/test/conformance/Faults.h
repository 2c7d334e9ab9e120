// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that go wrong on purpose.

#ifndef MOERT_TEST_CONFORMANCE_FAULTS_H
#define MOERT_TEST_CONFORMANCE_FAULTS_H

#include "Rank.h"

namespace conformance {

/// A fault by its name, or null.
///   missing   the last rank never comes to a collective
///   mismatch  the last rank calls it with another count
///   kind      the last rank calls another collective
///   order     the last rank calls two collectives in the other order
///   ragged    the last rank expects more rows than are sent
///   abort     the last rank gives up
///   kernel    the last rank's kernel finds a bad expert number
///   slot      it finds one slot twice
///   count     it counts a copy for an expert that is not there
///   row       it sorts such a copy
///   absent    the last rank does not create the communicator
///   leaves    the last rank leaves the job too early
///   stopped   the last rank's process is stopped by a signal (mpi)
///   ended     the last rank's process ends (not where ranks are threads)
///   killed    a signal ends it (not where ranks are threads)
///   unseen    the same while nobody waits for it (mpi)
/// Every rank that is left must see an error that names the cause, well before
/// ten times the deadline has passed.
using Fault = void (*)(Rank &rank);
Fault findFault(const std::string &name);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_FAULTS_H
