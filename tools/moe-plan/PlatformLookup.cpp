//===- PlatformLookup.cpp - Platforms by path or name ---------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlatformLookup.h"
#include "Command.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <set>

using namespace llvm;
using namespace moe::plan;

/// Where names are looked up, in this order.
static SmallVector<std::string> getDirectories() {
  SmallVector<std::string> directories;
  if (std::optional<std::string> path =
          sys::Process::GetEnv("MOE_PLATFORM_PATH"))
    for (StringRef directory : llvm::split(*path, ':'))
      if (!directory.empty())
        directories.push_back(directory.str());
  // The address of any function of the program finds its file.
  SmallString<256> shared(sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&getDirectories)));
  sys::path::remove_filename(shared);
  sys::path::append(shared, "..", "share", "moe-mlir", "platforms");
  directories.push_back(shared.str().str());
  directories.push_back(MOE_SOURCE_PLATFORMS);
  return directories;
}

Expected<std::string> moe::plan::findPlatform(StringRef pathOrName) {
  if (pathOrName.contains('/') || pathOrName.ends_with(".json"))
    return pathOrName.str();
  std::set<std::string> names;
  for (const std::string &directory : getDirectories()) {
    SmallString<256> file(directory);
    sys::path::append(file, pathOrName + ".json");
    if (!pathOrName.empty() && sys::fs::exists(file))
      return file.str().str();
    std::error_code error;
    for (sys::fs::directory_iterator it(directory, error), end;
         !error && it != end; it.increment(error))
      if (sys::path::extension(it->path()) == ".json")
        names.insert(sys::path::stem(it->path()).str());
  }
  return makeError("--platform: expected a path or one of " +
                   (names.empty() ? std::string("no shipped platforms found")
                                  : llvm::join(names, ", ")) +
                   ", got '" + pathOrName + "'");
}
