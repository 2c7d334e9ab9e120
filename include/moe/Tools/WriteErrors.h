// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handling of output errors.

#ifndef MOE_TOOLS_WRITEERRORS_H
#define MOE_TOOLS_WRITEERRORS_H

#include "llvm/ADT/StringRef.h"

namespace moe {

/// Makes the process end with `exitCode` and
///
///   <tool>: error: cannot write <file or standard output>: <reason>
///
/// if an LLVM stream cannot write all of its data, for example on a full disk.
/// By default, LLVM ends the process with 1 and names no file. The file of the
/// `-o` option is removed if it is a regular file, because it is incomplete. A
/// closed standard output counts as one that cannot be written: its descriptor
/// is reserved, so that no file opened later takes its place. Must be called
/// once, at the start of main.
void handleWriteErrors(llvm::StringRef tool, int exitCode, int argc,
                       const char *const *argv);

} // namespace moe

#endif // MOE_TOOLS_WRITEERRORS_H
