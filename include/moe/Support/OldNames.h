// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_SUPPORT_OLDNAMES_H
#define MOE_SUPPORT_OLDNAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace moe {

/// Prints a warning to stderr that an option, or a value of an option, was
/// renamed; for example "option 'parts'", "sub-batches". The next release
/// removes the old name.
void warnRenamed(llvm::StringRef old, llvm::StringRef current);

/// Replaces old names in the text of a pass's options, with a warning for each.
std::string renameOptions(llvm::StringRef options);

/// Replaces old names in the arguments of a command line, with a warning for
/// each. New strings live as long as the program.
llvm::SmallVector<const char *> renameArguments(int argc, char **argv);

} // namespace moe

#endif // MOE_SUPPORT_OLDNAMES_H
