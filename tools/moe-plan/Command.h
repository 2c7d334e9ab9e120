// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners as subcommands, with the fields of the planner's input as options.

#ifndef MOE_TOOLS_MOE_PLAN_COMMAND_H
#define MOE_TOOLS_MOE_PLAN_COMMAND_H

#include "moe/Cost/FormatNumber.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/PlatformParameters.h"
#include "moe/Support/Report.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace moe::plan {

using cost::formatFixed;
using planning::Failure;
using planning::Question;
using planning::Result;
using support::makeList;
using support::Report;

inline Failure makeFailure(const llvm::Twine &message) {
  return {message.str()};
}

using Print = void (*)(llvm::raw_ostream &, const Question &);

/// The output formats of a planner in addition to JSON.
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
  /// Checks the planner's options against the option that selects another
  /// output format. `option` has no dashes, and is empty if none is given.
  std::optional<Failure> (*check)(OptionTable &table,
                                  llvm::StringRef option) = nullptr;
  /// Returns true if the answer is no.
  bool (*isNo)(const Question &) = nullptr;
};

/// Adds the output formats of an optional component's planners. Must be called
/// before `runPlannerTool`.
void registerPrintings(llvm::ArrayRef<Printing> printings);

/// Returns the output formats of a planner. Each planner has an entry.
const Printing &getPrinting(llvm::StringRef planner);

/// An executable with planners as subcommands.
struct PlannerTool {
  llvm::StringLiteral name, overview;
  /// The planners of one subject, or all of them.
  std::optional<planning::Subject> subject;
};

/// Runs the planner that the command line names. Returns the exit code: 0, 1 if
/// the answer is no, or 2 for wrong use.
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

/// Calls `print` with the typed input and answer of a question.
template <auto print>
void printAs(llvm::raw_ostream &os, const Question &question) {
  const auto &typed =
      static_cast<const typename detail::Printer<decltype(print)>::Question &>(
          question);
  print(os, typed.getInput(), typed.getAnswer());
}

/// Adds a row with an option's effective value: name, value, unit and origin.
/// An empty `unit` selects the option's own unit.
void addSetting(Report &settings, const IntegerOption &option, int64_t value,
                llvm::StringRef unit = "");

/// Prints the parameters and the platform's name.
void printParameters(llvm::raw_ostream &os,
                     const planning::PlatformParameters &parameters);

/// Returns "1 chunk" or "4 chunks".
std::string countChunks(int64_t degree);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_COMMAND_H
