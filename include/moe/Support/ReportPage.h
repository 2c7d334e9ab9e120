// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as a page to look at.

#ifndef MOE_SUPPORT_REPORTPAGE_H
#define MOE_SUPPORT_REPORTPAGE_H

#include "moe/Cost/Result.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace moe::support {

/// The same JSON, without '<'.
std::string escapeForPage(llvm::StringRef json);

/// Writes a page that shows what `json` says, in one file that needs no other:
/// the JSON as it is, beside a script that draws it. `json` has no '<' in it.
/// The page allows no script but that one, by its hash, and nothing from
/// elsewhere.
void printReportPage(llvm::raw_ostream &os, llvm::StringRef title,
                     llvm::StringRef json);

/// The JSON of such a page; the failure names `name`.
cost::Result<std::string> readReportPage(llvm::StringRef page,
                                         const std::string &name);

} // namespace moe::support

#endif // MOE_SUPPORT_REPORTPAGE_H
