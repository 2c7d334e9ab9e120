// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms on the command line.

#include "moe/Tools/PlatformOption.h"
#include "moe/Platform/Lookup.h"
#include "moe/Tools/GivenOnce.h"

using namespace moe;

cost::Result<platform::Platform>
PlatformOption::load(const platform::LoadOptions &options) const {
  if (!isSet())
    return failMissing(option.ArgStr);
  return platform::findAndLoadPlatform(option, "--" + option.ArgStr.str(),
                                       options);
}
