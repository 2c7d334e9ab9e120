// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the backends that this machine can run.

#ifndef MOE_EXECUTION_DOCTOR_H
#define MOE_EXECUTION_DOCTOR_H

#include "llvm/Support/raw_ostream.h"

namespace moe::run {

/// Prints, for each backend, what the machine has, what is missing, and how to
/// install it.
void printDoctor(llvm::raw_ostream &os);

} // namespace moe::run

#endif // MOE_EXECUTION_DOCTOR_H
