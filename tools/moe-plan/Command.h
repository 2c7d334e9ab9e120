//===- Command.h - What the subcommands of moe-plan share -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_TOOLS_MOE_PLAN_COMMAND_H
#define MOE_TOOLS_MOE_PLAN_COMMAND_H

#include "moe/Platform/Load.h"
#include "moe/Support/Report.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace moe::plan {

/// Exit codes of the tool.
enum ExitCode { kDone = 0, kWrongUse = 2 };

/// One planner on the command line. Its options are members, so that they
/// exist only while it does.
class Command {
public:
  Command(llvm::StringRef name, llvm::StringRef description)
      : subCommand(name, description) {}
  virtual ~Command() = default;

  llvm::StringRef getName() const { return subCommand.getName(); }
  bool isChosen() const { return bool(subCommand); }
  llvm::cl::SubCommand &getSubCommand() { return subCommand; }

  /// Answers on `os`. An error is wrong use: what was expected, what was
  /// found, and in which option or file.
  virtual llvm::Error run(llvm::raw_ostream &os) = 0;

protected:
  llvm::cl::SubCommand subCommand;
};

/// An option that takes an integer in [1, max], of which 2^31 - 1 is enough
/// for everything but bytes. Kept as text, so that what is none gets a message
/// that says what is expected.
class IntegerOption {
public:
  IntegerOption(llvm::StringRef name, llvm::StringRef description,
                llvm::cl::SubCommand &command, int64_t max = kMaxSize,
                int64_t min = 1)
      : option(name, llvm::cl::desc(description), llvm::cl::value_desc("N"),
               llvm::cl::sub(command)),
        min(min), max(max) {}

  static constexpr int64_t kMaxSize = (int64_t(1) << 31) - 1;

  bool isSet() const { return option.getNumOccurrences() > 0; }
  llvm::StringRef getName() const { return option.ArgStr; }
  /// "--name", or "default": where the effective value is from.
  std::string getOrigin() const {
    return isSet() ? "--" + option.ArgStr.str() : "default";
  }

  /// The value, or `fallback` when the option is not given; without one the
  /// option is required.
  llvm::Expected<int64_t>
  read(std::optional<int64_t> fallback = std::nullopt) const;

private:
  llvm::cl::opt<std::string> option;
  int64_t min, max;
};

/// The options that say which platform to plan for: `--platform` takes a file
/// or the name of one that ships, `--ignore-fitted` leaves out what was fitted.
class PlatformOption {
public:
  explicit PlatformOption(llvm::cl::SubCommand &command)
      : option("platform",
               llvm::cl::desc("a platform's file, or the name of one that "
                              "ships (required)"),
               llvm::cl::value_desc("FILE|NAME"), llvm::cl::sub(command)),
        ignoreFitted("ignore-fitted",
                     llvm::cl::desc("leave out parameters fitted to "
                                    "somebody's results"),
                     llvm::cl::sub(command)) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }
  bool ignoresFitted() const { return ignoreFitted; }
  llvm::Expected<platform::Platform> load() const;

private:
  llvm::cl::opt<std::string> option;
  llvm::cl::opt<bool> ignoreFitted;
};

/// An option that takes a finite number, above 0 or at least 0.
class NumberOption {
public:
  NumberOption(llvm::StringRef name, llvm::StringRef description,
               llvm::cl::SubCommand &command, bool mayBeZero)
      : option(name, llvm::cl::desc(description), llvm::cl::value_desc("X"),
               llvm::cl::sub(command)),
        mayBeZero(mayBeZero) {}

  bool isSet() const { return option.getNumOccurrences() > 0; }
  llvm::StringRef getText() const { return option.getValue(); }
  /// "--name", or "default": where the effective value is from.
  std::string getOrigin() const {
    return isSet() ? "--" + option.ArgStr.str() : "default";
  }

  /// The value, or `fallback` when the option is not given; without one the
  /// option is required. `orElse` is what else the option takes, for messages:
  /// " or 'none'".
  llvm::Expected<double> read(std::optional<double> fallback = std::nullopt,
                              llvm::StringRef orElse = "") const;

private:
  llvm::cl::opt<std::string> option;
  bool mayBeZero;
};

/// Reads a file; the error names it.
llvm::Expected<std::string> readFile(llvm::StringRef path);

inline llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

using support::formatFixed;
using support::makeList;
using support::Report;

/// How much longer another choice takes: "3.1 us longer". A shorter one lost
/// because the platform's uncertainty is greater than the gain.
std::string describeGap(double us);

/// A row's note, which says so when its time rests on sizes outside of what the
/// platform was measured at.
std::string markExtrapolated(const std::string &note, bool isExtrapolated);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_COMMAND_H
