// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules as object files and headers.

#ifndef MOE_TOOLS_MOETRANSLATE_EMIT_H
#define MOE_TOOLS_MOETRANSLATE_EMIT_H

namespace moe {

/// Returns true if the command line has --emit, which asks for compiled code
/// instead of a translation.
bool asksToEmit(int argc, const char *const *argv);

/// Reads a module and writes its object file or C header; returns the exit
/// code.
int runEmit(int argc, const char *const *argv);

} // namespace moe

#endif // MOE_TOOLS_MOETRANSLATE_EMIT_H
