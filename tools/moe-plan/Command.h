// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners on the command line: one subcommand each, with the fields of the
// planner's input as options.

#ifndef MOE_TOOLS_MOE_PLAN_COMMAND_H
#define MOE_TOOLS_MOE_PLAN_COMMAND_H

#include "moe/Planning/Planner.h"
#include "moe/Planning/PlatformParameters.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace moe::plan {

using planning::Failure;
using planning::Question;
using planning::Result;
using support::formatFixed;
using support::makeList;
using support::Report;

inline Failure makeFailure(const llvm::Twine &message) {
  return {message.str()};
}

using Print = void (*)(llvm::raw_ostream &, const Question &);

/// How the answer of a planner is printed, in addition to its JSON.
struct Printing {
  /// An option that also writes a file.
  struct File {
    const char *option, *help, *valueName;
    Print print;
  };
  /// A flag that prints another text.
  struct Form {
    const char *option, *help;
    Print print;
  };

  const char *planner;
  Print text;
  std::vector<File> files = {};
  std::optional<Form> form = std::nullopt;
  /// Checks the options of the planner against the option that selects another
  /// form of the answer; its name has no dashes, and is empty if none is given.
  std::optional<Failure> (*check)(OptionTable &table,
                                  llvm::StringRef option) = nullptr;
  /// Whether the answer is no.
  bool (*isNo)(const Question &) = nullptr;
};

/// Adds how the answers of an optional component's planners are printed. Before
/// `runPlannerTool`.
void registerPrintings(llvm::ArrayRef<Printing> printings);

/// How the answer of a planner is printed; each planner has an entry.
const Printing &getPrinting(llvm::StringRef planner);

/// An executable whose subcommands are planners.
struct PlannerTool {
  llvm::StringLiteral name, overview;
  /// The planners of one subject, or all of them.
  std::optional<planning::Subject> subject;
};

/// Runs the planner that the command line names. Exit codes: 0, 1 if the answer
/// is no, 2 for wrong use.
int runPlannerTool(const PlannerTool &tool, int argc, char **argv);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace detail {
template <typename T> struct Printer;
template <typename InputT, typename AnswerT>
struct Printer<void (*)(llvm::raw_ostream &, const InputT &, const AnswerT &)> {
  using Question = planning::TypedQuestion<InputT, AnswerT>;
};
} // namespace detail

/// A function that prints an input with its answer, for a question of any type.
template <auto print>
void printAs(llvm::raw_ostream &os, const Question &question) {
  const auto &typed =
      static_cast<const typename detail::Printer<decltype(print)>::Question &>(
          question);
  print(os, typed.getInput(), typed.getAnswer());
}

/// Adds an option's effective value as a row of settings: name, value, unit and
/// origin. The unit is the option's if it is not given.
void addSetting(Report &settings, const IntegerOption &option, int64_t value,
                llvm::StringRef unit = "");

/// Prints parameters below the platform's name.
void printParameters(llvm::raw_ostream &os,
                     const planning::PlatformParameters &parameters);

/// "1 chunk" or "4 chunks".
std::string countChunks(int64_t degree);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_COMMAND_H
