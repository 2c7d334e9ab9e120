// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of files.

#ifndef MOE_SUPPORT_TEXTFILE_H
#define MOE_SUPPORT_TEXTFILE_H

#include "moe/Cost/Result.h"

namespace moe::support {

/// Reads a file of at most 64 MB. A failure includes the file, the expected
/// content `what`, and the actual one, for example a directory.
cost::Result<std::string> readTextFile(const std::string &path,
                                       const std::string &what);

} // namespace moe::support

#endif // MOE_SUPPORT_TEXTFILE_H
