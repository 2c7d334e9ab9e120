// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that are a small language.

#ifndef MOE_TOOLS_MOERUN_OPTIONTEXTS_H
#define MOE_TOOLS_MOERUN_OPTIONTEXTS_H

#include "moe/Execution/Processes.h"
#include "moe/Interpreter/Differences.h"

namespace moe::run {

/// Reads `--input=ARGUMENT=FILE`. What is wrong with the text, empty when
/// nothing is.
std::string parseArrayInput(llvm::StringRef text, ArrayInput &input);

/// Reads `--tolerance=REL[,ABS]`, as above.
std::string parseTolerance(llvm::StringRef text, Tolerance &tolerance);

} // namespace moe::run

#endif // MOE_TOOLS_MOERUN_OPTIONTEXTS_H
