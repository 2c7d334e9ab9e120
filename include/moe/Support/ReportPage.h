// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML pages that display JSON.

#ifndef MOE_SUPPORT_REPORTPAGE_H
#define MOE_SUPPORT_REPORTPAGE_H

#include "moe/Cost/Result.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace moe::support {

/// Returns equivalent JSON without '<'.
std::string escapeForPage(llvm::StringRef json);

/// Writes a self-contained page that displays `json`, which must not contain
/// '<': the unchanged JSON and a script that draws it. The page permits only
/// that script, by its hash, and no external content.
void printReportPage(llvm::raw_ostream &os, llvm::StringRef title,
                     llvm::StringRef json);

/// Returns the JSON of such a page; a failure includes `name`.
cost::Result<std::string> readReportPage(llvm::StringRef page,
                                         const std::string &name);

} // namespace moe::support

#endif // MOE_SUPPORT_REPORTPAGE_H
