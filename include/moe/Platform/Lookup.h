// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms by name.

#ifndef MOE_PLATFORM_LOOKUP_H
#define MOE_PLATFORM_LOOKUP_H

#include "moe/Platform/Load.h"

#include <string>

namespace moe::platform {

/// Finds and loads the platform that a user's text means: what every option and
/// every pass that takes a platform does. What has a slash or ends in `.json`
/// is a path. A bare name NAME is the first NAME.json in: the directories of
/// the environment variable MOE_PLATFORM_PATH, separated by colons;
/// `../share/moe-mlir/platforms` beside the directory of the executable, and of
/// the library that has this code, where that is one; the folder of the prefix
/// it was configured for; `platforms` of the source tree it was built from. Fails when none has it,
/// and lists the names there are; `option` names the option then
/// ("--platform"). A failure in the file names the file.
cost::Result<Platform> findAndLoadPlatform(const std::string &pathOrName,
                                           const std::string &option,
                                           const LoadOptions &options = {});

/// The path of a file that ships beside platforms ("prices/NAME.json"), in the
/// first of these directories that has it. Fails when none has.
cost::Result<std::string> findShippedFile(const std::string &name);

} // namespace moe::platform

#endif // MOE_PLATFORM_LOOKUP_H
