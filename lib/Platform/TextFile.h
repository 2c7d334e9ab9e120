//===- TextFile.h - A file's content ----------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_PLATFORM_TEXTFILE_H
#define MOE_LIB_PLATFORM_TEXTFILE_H

#include "moe/Cost/Result.h"

namespace moe::platform {

/// Reads a file of at most 64 MB. The failure names the file, `what` was
/// expected, and what was found: a directory, say.
cost::Result<std::string> readTextFile(const std::string &path,
                                       const std::string &what);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_TEXTFILE_H
