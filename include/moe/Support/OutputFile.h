// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are written after a long computation.

#ifndef MOE_SUPPORT_OUTPUTFILE_H
#define MOE_SUPPORT_OUTPUTFILE_H

#include "moe/Cost/Result.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace moe::support {

/// Returns why a file cannot be written, with its path; nullopt if it can. The
/// check before the work avoids losing minutes of it. It opens and creates
/// nothing, so it cannot detect problems that only writing reveals, for example
/// a full disk. "-" is standard output.
std::optional<cost::Failure> checkOutputFile(llvm::StringRef path);

/// The same for a folder, which is created if it does not exist, and for files
/// in it.
std::optional<cost::Failure> checkOutputFolder(llvm::StringRef path);

/// Writes the output of `print` either entirely or not at all: a partial file
/// is removed. A failure includes the path.
std::optional<cost::Failure>
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace moe::support

#endif // MOE_SUPPORT_OUTPUTFILE_H
