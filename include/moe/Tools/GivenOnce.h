// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that are given twice or not.

#ifndef MOE_TOOLS_GIVENONCE_H
#define MOE_TOOLS_GIVENONCE_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace moe {

/// LLVM's command line takes the last of options that are given twice and says
/// nothing. What is wrong instead: "--ep: expected it once, got it twice";
/// empty when nothing is. Options that are lists may be repeated. To be called
/// after the command line has been parsed.
std::string checkGivenOnce(
    llvm::cl::SubCommand &command = llvm::cl::SubCommand::getTopLevel());

} // namespace moe

#endif // MOE_TOOLS_GIVENONCE_H
