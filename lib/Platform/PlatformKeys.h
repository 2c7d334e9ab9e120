// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys of a platform file.

#ifndef MOE_LIB_PLATFORM_PLATFORMKEYS_H
#define MOE_LIB_PLATFORM_PLATFORMKEYS_H

#include "moe/Platform/Load.h"
#include "moe/Support/ObjectReader.h"

namespace moe::platform {

/// Reads all members of a platform that a file states, that is all but
/// `machine`, `file` and `hash`. The reader's context keeps the first problem.
void readKeys(support::ObjectReader &reader, Platform &platform);

} // namespace moe::platform

#endif // MOE_LIB_PLATFORM_PLATFORMKEYS_H
