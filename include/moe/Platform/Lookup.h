// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms by name.

#ifndef MOE_PLATFORM_LOOKUP_H
#define MOE_PLATFORM_LOOKUP_H

#include "moe/Platform/Load.h"

#include <string>

namespace moe::platform {

/// Finds and loads the platform that a user names, for every option and pass
/// that takes one. A text with a slash or the suffix `.json` is a path. A bare
/// name NAME is the first NAME.json in these directories:
///
/// - the directories in the environment variable MOE_PLATFORM_PATH, separated
///   by colons;
/// - `../share/moe-mlir/platforms` relative to the directory of the executable,
///   and of the library that contains this code;
/// - the configured installation prefix;
/// - `platforms` of the source tree of the build.
///
/// Fails if no directory has it; the message names the option `option`
/// ("--platform") and lists the available names. A failure in the file names
/// the file.
cost::Result<Platform> findAndLoadPlatform(const std::string &pathOrName,
                                           const std::string &option,
                                           const LoadOptions &options = {});

/// Returns the path of another shipped file ("prices/NAME.json") from the first
/// of these directories that has it. Fails if none has it.
cost::Result<std::string> findShippedFile(const std::string &name);

} // namespace moe::platform

#endif // MOE_PLATFORM_LOOKUP_H
