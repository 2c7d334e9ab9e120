// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check for options that are given twice.

#ifndef MOE_TOOLS_GIVENONCE_H
#define MOE_TOOLS_GIVENONCE_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace moe {

/// Returns an error if an option is given twice, because LLVM's command line
/// silently takes the last one. For example: "--ep: expected it once, got it
/// twice"; empty if none. Options that are lists may be repeated. Must be
/// called after parsing the command line.
std::string checkGivenOnce(
    llvm::cl::SubCommand &command = llvm::cl::SubCommand::getTopLevel());

} // namespace moe

#endif // MOE_TOOLS_GIVENONCE_H
