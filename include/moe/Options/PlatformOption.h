// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that select a platform.

#ifndef MOE_OPTIONS_PLATFORMOPTION_H
#define MOE_OPTIONS_PLATFORMOPTION_H

#include "moe/Options/Option.h"
#include "moe/Platform/Load.h"

namespace moe {

/// An option for a platform file or the name of a shipped platform.
class PlatformOption {
public:
  PlatformOption(OptionTable &table, llvm::StringRef name, llvm::StringRef help)
      : option(table, name, help, "FILE|NAME") {}

  bool isSet() const { return option.isSet(); }
  /// Returns the given text.
  const std::string &get() const { return option; }
  PlatformOption &operator=(llvm::StringRef fileOrName) {
    option = fileOrName;
    return *this;
  }

  /// Finds and loads the platform. Fails if the option is not given, so a tool
  /// for which it is optional must check `isSet` first.
  cost::Result<platform::Platform>
  load(const platform::LoadOptions &options = {}) const;

private:
  TextOption option;
};

/// `--platform` and `--ignore-fitted` of tools that predict times. The latter
/// ignores parameters fitted to published results.
class MachineOptions {
public:
  MachineOptions(OptionTable &table,
                 llvm::StringRef help =
                     "Platform file or name of a shipped platform (required)")
      : platform(table, "platform", help),
        ignoreFitted(table, "ignore-fitted",
                     "Ignore platform parameters fitted to published results") {
  }

  bool isSet() const { return platform.isSet(); }
  bool ignoresFitted() const { return ignoreFitted; }
  platform::LoadOptions getLoadOptions() const {
    return {.ignoreFitted = ignoreFitted};
  }
  cost::Result<platform::Platform> load() const {
    return platform.load(getLoadOptions());
  }

  PlatformOption platform;
  FlagOption ignoreFitted;
};

} // namespace moe

#endif // MOE_OPTIONS_PLATFORMOPTION_H
