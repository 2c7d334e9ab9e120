// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platforms on the command line.

#ifndef MOE_TOOLS_PLATFORMOPTION_H
#define MOE_TOOLS_PLATFORMOPTION_H

#include "moe/Platform/Load.h"
#include "llvm/Support/CommandLine.h"

namespace moe {

/// An option that takes a platform: a file, or the name of one that ships.
class PlatformOption {
public:
  /// `place` is a `cl::sub` or a `cl::cat`.
  template <typename Place>
  PlatformOption(llvm::StringRef name, llvm::StringRef description, Place place)
      : option(name, llvm::cl::desc(description),
               llvm::cl::value_desc("FILE|NAME"), place) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }

  /// Finds and loads it. Not given is a failure, too: a tool that can do
  /// without asks first.
  cost::Result<platform::Platform>
  load(const platform::LoadOptions &options = {}) const;

private:
  llvm::cl::opt<std::string> option;
};

/// `--platform` and `--ignore-fitted`, which leaves out what was fitted to
/// somebody's results: of tools that predict times.
class MachineOptions {
public:
  template <typename Place>
  MachineOptions(llvm::StringRef description, Place place)
      : platform("platform", description, place),
        ignoreFitted(
            "ignore-fitted",
            llvm::cl::desc(
                "Ignore platform parameters fitted to published results"),
            place) {}

  bool isSet() const { return platform.isSet(); }
  bool ignoresFitted() const { return ignoreFitted; }
  platform::LoadOptions getLoadOptions() const {
    return {.ignoreFitted = ignoreFitted};
  }
  cost::Result<platform::Platform> load() const {
    return platform.load(getLoadOptions());
  }

private:
  PlatformOption platform;
  llvm::cl::opt<bool> ignoreFitted;
};

} // namespace moe

#endif // MOE_TOOLS_PLATFORMOPTION_H
