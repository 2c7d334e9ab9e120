// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MOE_SUPPORT_OLDNAMES_H
#define MOE_SUPPORT_OLDNAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace moe {

/// Prints a warning on stderr that an option, or a value of one, was renamed:
/// "option 'parts'", "sub-batches". The next release deletes the old name.
void warnRenamed(llvm::StringRef old, llvm::StringRef current);

/// The text of a pass's options with today's names; warns of each old one.
std::string renameOptions(llvm::StringRef options);

/// The arguments of a command line with today's names; warns of each old one.
/// Strings that it makes live as long as the program.
llvm::SmallVector<const char *> renameArguments(int argc, char **argv);

} // namespace moe

#endif // MOE_SUPPORT_OLDNAMES_H
