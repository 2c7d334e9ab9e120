// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subcommands of moe-plan share.

#ifndef MOE_TOOLS_MOE_PLAN_COMMAND_H
#define MOE_TOOLS_MOE_PLAN_COMMAND_H

#include "moe/Options/PlatformOption.h"
#include "moe/Support/Report.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/OutputOption.h"
#include "moe/Traffic/Trace.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace moe::plan {

/// Exit codes of the tool.
enum ExitCode { kDone = 0, kNo = 1, kWrongUse = 2 };

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
  /// Lets the command line give the options.
  void bind() { bound.emplace(table, subCommand); }
  llvm::ArrayRef<std::string> getWarnings() const { return table.warnings; }

  /// Answers on `os`. A failure is wrong use: what was expected, what was
  /// found, and in which option or file.
  virtual std::optional<cost::Failure> run(llvm::raw_ostream &os) = 0;

  /// After an answer: `kNo` where it is no.
  virtual int getExitCode() const { return kDone; }

protected:
  llvm::cl::SubCommand subCommand;
  /// What the planner asks for; members that come after it add their options.
  OptionTable table;

private:
  std::optional<BoundOptions> bound;
};

using cost::Failure;
using cost::Result;

inline Failure makeFailure(const llvm::Twine &message) {
  return {message.str()};
}

using support::formatFixed;
using support::makeList;
using support::Report;

/// `--json` and `--report`: how else than as a table an answer is given.
class AnswerOptions {
public:
  explicit AnswerOptions(llvm::cl::SubCommand &subCommand)
      : json("json", llvm::cl::desc("Print the answer as JSON"),
             llvm::cl::sub(subCommand)),
        report("report",
               llvm::cl::desc("Also write a self-contained HTML report"),
               llvm::cl::value_desc("file.html"), llvm::cl::sub(subCommand)) {
    report.mayBeStdout = false;
  }

  /// Writes the page and prints the JSON, each where it is asked for; both hold
  /// what `write` puts into an object that is open, indented by so many blanks.
  /// Whether there is nothing left to print.
  Result<bool> answer(llvm::raw_ostream &os, llvm::StringRef title,
                      llvm::function_ref<void(llvm::json::OStream &)> write,
                      unsigned indent = 2) const;

  /// The option that was given of them; none.
  llvm::StringRef getGiven() const {
    return json ? "json" : report.isSet() ? "report" : "";
  }

private:
  llvm::cl::opt<bool> json;
  OutputOption report;
};

/// Writes what `print` prints to the file that an option names.
std::optional<Failure>
writeFile(const OutputOption &option,
          llvm::function_ref<void(llvm::raw_ostream &)> print);

/// An option's effective value, as a row of settings: its name, the value, its
/// unit and where it is from.
void addSetting(Report &settings, const IntegerOption &option, int64_t value,
                llvm::StringRef unit);

/// Every number of a machine that an answer depends on: name, value, origin.
using Parameters = std::vector<std::vector<std::string>>;

/// Prints them as the member `parameters` of an object that is open.
void printParameters(llvm::json::OStream &out, const Parameters &parameters);
/// Prints them below the platform's name.
void printParameters(llvm::raw_ostream &os, const platform::Platform &platform,
                     const Parameters &parameters);

/// Counts of a trace, by step and layer, for pages: the members `columns` and
/// `counts` of an object that is open, and `why_no_counts` of what is too much.
void printCounts(llvm::json::OStream &out, const traffic::Trace &trace);

/// How much longer another choice takes: "3.1 us longer". A shorter one lost
/// because the platform's uncertainty is greater than the gain.
std::string describeGap(double us);

/// A row's note, which says so when its time rests on sizes outside of what the
/// platform was measured at.
std::string markExtrapolated(const std::string &note, bool isExtrapolated);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_COMMAND_H
