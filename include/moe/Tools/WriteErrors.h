// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when output cannot be written.

#ifndef MOE_TOOLS_WRITEERRORS_H
#define MOE_TOOLS_WRITEERRORS_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// Makes the process end with `exitCode` and
///
///   <tool>: error: cannot write <file or standard output>: <reason>
///
/// when an LLVM stream could not write all it was given, as on a full disk.
/// LLVM itself ends the process with 1 and names no file. The file that `-o`
/// of the command line names, if it is a regular one, is removed: it is
/// incomplete. A standard output that is closed is one that cannot be written:
/// no file that is opened later takes its place. To be called once, first thing
/// in main.
void handleWriteErrors(llvm::StringRef tool, int exitCode, int argc,
                       const char *const *argv);

} // namespace moe

#endif // MOE_TOOLS_WRITEERRORS_H
