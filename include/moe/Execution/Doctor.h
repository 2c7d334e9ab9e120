// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine can run.

#ifndef MOE_EXECUTION_DOCTOR_H
#define MOE_EXECUTION_DOCTOR_H

#include "llvm/Support/raw_ostream.h"

namespace moe::run {

/// Prints, in plain words, what the machine has for each backend, what is
/// missing, and what to install for it.
void printDoctor(llvm::raw_ostream &os);

} // namespace moe::run

#endif // MOE_EXECUTION_DOCTOR_H
