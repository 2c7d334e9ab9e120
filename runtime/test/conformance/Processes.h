// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are processes without a launcher.

#ifndef CONFORMANCE_PROCESSES_H
#define CONFORMANCE_PROCESSES_H

#include "moert.h"

namespace conformance {

/// Makes `count` processes of this one, which must have no other thread yet.
/// Each of them returns as a rank of `config`, with an all-gather over memory
/// that they share. This process waits for them and ends with the greatest exit
/// code.
void startProcesses(int32_t count, moert_config &config);

} // namespace conformance

#endif // CONFORMANCE_PROCESSES_H
