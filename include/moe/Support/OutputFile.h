// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are written at the end.

#ifndef MOE_SUPPORT_OUTPUTFILE_H
#define MOE_SUPPORT_OUTPUTFILE_H

#include "moe/Cost/Result.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace moe::support {

/// Minutes of work must not end in a file that cannot be written: why it cannot,
/// with its path, or none. Nothing is opened and nothing made, so what only
/// writing shows, as a full disk, is not seen. "-" is standard output.
std::optional<cost::Failure> checkOutputFile(llvm::StringRef path);

/// The same of a folder that is made where it is missing, and of files in it.
std::optional<cost::Failure> checkOutputFolder(llvm::StringRef path);

/// Writes what `print` prints, whole or not at all: half of a file is removed.
/// The failure names the path.
std::optional<cost::Failure>
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace moe::support

#endif // MOE_SUPPORT_OUTPUTFILE_H
