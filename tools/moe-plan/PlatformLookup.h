//===- PlatformLookup.h - Platforms by path or name -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PLAN_PLATFORMLOOKUP_H
#define MOE_TOOLS_MOE_PLAN_PLATFORMLOOKUP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace moe::plan {

/// The file that `--platform=` means. What has a slash or ends in `.json` is a
/// path and returned as it is. A bare name NAME is the first NAME.json in:
/// the directories of the environment variable MOE_PLATFORM_PATH, separated by
/// colons; `../share/moe-mlir/platforms` beside the directory of the
/// executable; `platforms` of the source tree it was built from. Fails when
/// none has it, and lists the names there are.
llvm::Expected<std::string> findPlatform(llvm::StringRef pathOrName);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_PLATFORMLOOKUP_H
