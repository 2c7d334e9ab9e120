// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options with a syntax of their own.

#ifndef MOE_TOOLS_MOERUN_OPTIONTEXTS_H
#define MOE_TOOLS_MOERUN_OPTIONTEXTS_H

#include "moe/Execution/Processes.h"
#include "moe/Interpreter/Differences.h"

namespace moe::run {

/// Reads `--input=ARGUMENT=FILE`. Returns the error, empty on success.
std::string parseArrayInput(llvm::StringRef text, ArrayInput &input);

/// Reads `--tolerance=REL[,ABS]`. Returns the error, empty on success.
std::string parseTolerance(llvm::StringRef text, Tolerance &tolerance);

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_OPTIONTEXTS_H
