// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file's content.

#ifndef MOE_SUPPORT_TEXTFILE_H
#define MOE_SUPPORT_TEXTFILE_H

#include "moe/Cost/Result.h"

namespace moe::support {

/// Reads a file of at most 64 MB. The failure names the file, `what` was
/// expected, and what was found: a directory, say.
cost::Result<std::string> readTextFile(const std::string &path,
                                       const std::string &what);

} // namespace moe::support

#endif // MOE_SUPPORT_TEXTFILE_H
