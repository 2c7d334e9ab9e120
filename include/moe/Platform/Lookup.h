//===- Lookup.h - Platforms by name -----------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_PLATFORM_LOOKUP_H
#define MOE_PLATFORM_LOOKUP_H

#include "moe/Platform/Load.h"

#include <string>

namespace moe::platform {

/// The file that a user's `platform=` means. What has a slash or ends in
/// `.json` is a path and returned as it is. A bare name NAME is the first
/// NAME.json in: the directories of the environment variable
/// MOE_PLATFORM_PATH, separated by colons; `../share/moe-mlir/platforms` beside
/// the directory of the executable; `platforms` of the source tree it was built
/// from. Fails when none has it, and lists the names there are.
cost::Result<std::string> findPlatform(const std::string &pathOrName);

/// Finds a platform as above and loads it: what every option and every pass
/// that takes a platform does. `option` names the option in the failure when
/// there is no such platform ("--platform"); one in the file names the file.
cost::Result<Platform> findAndLoadPlatform(const std::string &pathOrName,
                                           const std::string &option,
                                           const LoadOptions &options = {});

} // namespace moe::platform

#endif // MOE_PLATFORM_LOOKUP_H
