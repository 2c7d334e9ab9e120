// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that select a platform.

#include "moe/Options/PlatformOption.h"
#include "moe/Platform/Lookup.h"

using namespace moe;

cost::Result<platform::Platform>
PlatformOption::load(const platform::LoadOptions &options) const {
  if (!isSet())
    return failMissing(option.getName());
  return platform::findAndLoadPlatform(option, "--" + option.getName().str(),
                                       options);
}
