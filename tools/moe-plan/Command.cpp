// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planners as subcommands.

#include "Command.h"
#include "moe/Options/FrameworkFlags.h"
#include "moe/Support/OldNames.h"
#include "moe/Support/OutputFile.h"
#include "moe/Support/Progress.h"
#include "moe/Support/ReportPage.h"
#include "moe/Tools/BindOptions.h"
#include "moe/Tools/GivenOnce.h"
#include "moe/Tools/OutputOption.h"
#include "moe/Tools/Register.h"
#include "moe/Tools/WriteErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace moe;
using namespace moe::plan;

void moe::plan::addSetting(Report &settings, const IntegerOption &option,
                           int64_t value, StringRef unit) {
  if (unit.empty())
    unit = option.getUnit();
  settings.addRow({"  " + option.getName().str(), std::to_string(value),
                   (unit + " (" + option.getOrigin() + ")").str()});
}

void moe::plan::printParameters(
    raw_ostream &os, const planning::PlatformParameters &parameters) {
  os << "\nplatform " << parameters.machine << " of " << parameters.file
     << "\n";
  Report report = makeList({false, false, false});
  for (const auto &row : parameters.rows)
    report.addRow({"  " + row[0], row[1], "(" + row[2] + ")"});
  report.printTable(os, /*withHeading=*/false);
}

std::string moe::plan::countChunks(int64_t degree) {
  return std::to_string(degree) + (degree == 1 ? " chunk" : " chunks");
}

//===----------------------------------------------------------------------===//
// Subcommands
//===----------------------------------------------------------------------===//

namespace {

enum ExitCode { kDone = 0, kNo = 1, kWrongUse = 2 };

/// A planner as a subcommand. Its command-line options exist as long as this
/// object.
class Command {
public:
  Command(const planning::Planner &planner, const Printing &printing);

  StringRef getName() const { return subCommand.getName(); }
  bool isChosen() const { return bool(subCommand); }
  cl::SubCommand &getSubCommand() { return subCommand; }

  /// Runs the planner and prints the answer. A failure means wrong use.
  std::optional<Failure> run(raw_ostream &os);
  ArrayRef<InputWarning> getWarnings() const {
    return question->getTable().warnings;
  }
  int getExitCode() const {
    return printing.isNo && printing.isNo(*question) ? kNo : kDone;
  }

private:
  std::optional<Failure>
  writeFile(const OutputOption &option,
            function_ref<void(raw_ostream &)> print) const;

  const Printing &printing;
  std::unique_ptr<Question> question;
  cl::SubCommand subCommand;
  BoundOptions bound;
  std::vector<std::unique_ptr<OutputOption>> files;
  std::unique_ptr<cl::opt<bool>> form;
  cl::opt<bool> json;
  OutputOption report;
};

} // namespace

Command::Command(const planning::Planner &planner, const Printing &printing)
    : printing(printing), question(planner.ask()),
      subCommand(planner.name, planner.description),
      bound(question->getTable(), subCommand),
      json("json", cl::desc("Print the answer as JSON"), cl::sub(subCommand)),
      report("report", cl::desc("Also write a self-contained HTML report"),
             cl::value_desc("file.html"), cl::sub(subCommand)) {
  report.mayBeStdout = false;
  for (const Printing::File &file : printing.files)
    files.push_back(std::make_unique<OutputOption>(
        StringRef(file.option), cl::desc(file.help),
        cl::value_desc(file.valueName), cl::sub(subCommand)));
  if (printing.form)
    form = std::make_unique<cl::opt<bool>>(StringRef(printing.form->option),
                                           cl::desc(printing.form->help),
                                           cl::sub(subCommand));
}

std::optional<Failure>
Command::writeFile(const OutputOption &option,
                   function_ref<void(raw_ostream &)> print) const {
  auto failure = moe::support::writeOutputFile(option.getValue(), print);
  if (failure)
    return makeFailure("--" + option.ArgStr + ": " + failure->message);
  return std::nullopt;
}

std::optional<Failure> Command::run(raw_ostream &os) {
  StringRef given = json ? "json" : report.isSet() ? "report" : "";
  bool hasForm = form && *form;
  if (hasForm && !given.empty())
    return makeFailure("--" + form->ArgStr + " is not supported with --" +
                       given);
  if (printing.check)
    if (auto failure = printing.check(question->getTable(),
                                      hasForm ? form->ArgStr : given))
      return failure;
  if (auto failure = question->answer())
    return failure;
  for (auto [file, option] : zip_equal(printing.files, files))
    if (option->isSet())
      if (auto failure = writeFile(
              *option, [&](raw_ostream &out) { file.print(out, *question); }))
        return failure;
  if (!given.empty()) {
    planning::FormattedAnswer answer = question->format();
    std::string text = moe::support::escapeForPage(answer.json) + "\n";
    if (report.isSet())
      if (auto failure = writeFile(report, [&](raw_ostream &out) {
            moe::support::printReportPage(out, answer.title, text);
          }))
        return failure;
    if (json) {
      os << text;
      return std::nullopt;
    }
  }
  (hasForm ? printing.form->print : printing.text)(os, *question);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

int moe::plan::runPlannerTool(const PlannerTool &tool, int argc, char **argv) {
  handleWriteErrors(tool.name.data(), kWrongUse, argc, argv);
  auto refuse = [&](const Twine &problem) {
    errs() << tool.name << ": error: " << problem << "\n";
    return kWrongUse;
  };
  registerAllPlanners();
  std::vector<std::unique_ptr<Command>> commands;
  for (const planning::Planner &planner : planning::listPlanners())
    if (!tool.subject || planner.subject == *tool.subject)
      commands.push_back(
          std::make_unique<Command>(planner, getPrinting(planner.name)));
  StringRef name = tool.name;
  cl::AddExtraVersionPrinter([name](raw_ostream &os) {
    os << name << " of moe-mlir " MOE_VERSION "\n";
  });

  // LLVM's libraries register hundreds of unrelated options.
  std::string title = ("Options of " + tool.name).str();
  cl::OptionCategory none(title);
  cl::HideUnrelatedOptions(none);

  // The command-line parser would reject the first word as an unexpected
  // argument; list the subcommands instead.
  StringRef first = argc > 1 ? argv[1] : "";
  auto command = llvm::find_if(
      commands, [&](const auto &known) { return known->getName() == first; });
  if (!first.starts_with("-") && command == commands.end())
    return refuse(
        "expected one of the subcommands " +
        llvm::join(
            llvm::map_range(commands,
                            [](const auto &known) { return known->getName(); }),
            ", ") +
        ", got " + (argc > 1 ? "'" + first.str() + "'" : std::string("none")));
  cl::SubCommand &given = command == commands.end()
                              ? cl::SubCommand::getTopLevel()
                              : (*command)->getSubCommand();
  if (std::string problem = checkFrameworkFlags(
          argc, argv,
          [&](StringRef option) { return hasOption(given, option); });
      !problem.empty())
    return refuse(problem);
  auto arguments = renameArguments(argc, argv);
  if (!cl::ParseCommandLineOptions(argc, arguments.data(), tool.overview,
                                   &errs()))
    return kWrongUse;

  for (const std::unique_ptr<Command> &command : commands) {
    if (!command->isChosen())
      continue;
    if (std::string problem = checkGivenOnce(command->getSubCommand());
        !problem.empty())
      return refuse(problem);
    if (std::string problem = checkOutputs(); !problem.empty())
      return refuse(problem);
    // Print an answer completely or not at all.
    std::string answer;
    raw_string_ostream os(answer);
    std::optional<Failure> failure;
    {
      moe::support::Activity activity(
          (tool.name + " " + command->getName()).str());
      failure = command->run(os);
    }
    for (const InputWarning &warning : command->getWarnings())
      errs() << warning.format() << "\n";
    if (failure)
      return refuse(failure->message);
    outs() << answer;
    return command->getExitCode();
  }
  return refuse("expected a subcommand before the options");
}
