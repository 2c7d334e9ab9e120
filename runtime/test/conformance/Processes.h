// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that are processes without a launcher.

#ifndef CONFORMANCE_PROCESSES_H
#define CONFORMANCE_PROCESSES_H

#include "moert.h"

namespace conformance {

/// Forks `count` processes from this one, which must have no other thread yet.
/// Each of them returns as one rank of `config`, with an all-gather over shared
/// memory. This process waits for them and exits with the greatest exit code.
void startProcesses(int32_t count, moert_config &config);

} // namespace conformance

#endif // CONFORMANCE_PROCESSES_H
