// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading remarks.

#include "moe/Compiler/Prediction.h"
#include "moe/Compiler/PredictionReport.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// Unquotes a text in YAML single quotes, because the parser keeps doubled
/// quotes.
static std::string unquote(StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    plain += text[i];
    if (text.substr(i, 2) == "''")
      ++i;
  }
  return plain;
}

std::optional<cost::Failure>
ReportedChoice::addArgument(StringRef key, std::string value,
                            const std::string &name) {
  if (key == kDecisionKey) {
    cost::Result<Decision> read = parseDecision(value, name);
    if (!read)
      return read.getFailure();
    decision = std::move(*read);
  } else if (key == "Remark" || key == "Reason") {
    text += value;
  } else {
    metrics.emplace_back(key.str(), std::move(value));
  }
  return std::nullopt;
}

static cost::Result<ReportedChoice>
makeChoice(const llvm::remarks::Remark &remark, const std::string &name) {
  ReportedChoice choice;
  choice.pass = remark.PassName.str();
  // MLIR uses names with "<" for remarks outside of functions.
  if (StringRef name = remark.FunctionName; !name.starts_with("<"))
    choice.function = name.str();
  choice.isMissed = remark.RemarkType == llvm::remarks::Type::Missed;
  for (const llvm::remarks::Argument &argument : remark.Args)
    if (auto failure =
            choice.addArgument(argument.Key, unquote(argument.Val), name))
      return *failure;
  return choice;
}

cost::Result<std::vector<ReportedChoice>>
moe::readChoices(StringRef yaml, const std::string &name) {
  auto fail = [&](llvm::Error error) {
    return cost::Failure{name +
                         ": expected remarks that moe-opt wrote with "
                         "--remark-format=yaml, got " +
                         llvm::toString(std::move(error))};
  };
  auto parser =
      llvm::remarks::createRemarkParser(llvm::remarks::Format::YAML, yaml);
  if (!parser)
    return fail(parser.takeError());
  std::vector<ReportedChoice> choices;
  while (true) {
    auto remark = (*parser)->next();
    if (!remark) {
      llvm::Error error = remark.takeError();
      if (!error.isA<llvm::remarks::EndOfFileError>())
        return fail(std::move(error));
      llvm::consumeError(std::move(error));
      return choices;
    }
    cost::Result<ReportedChoice> choice = makeChoice(**remark, name);
    if (!choice)
      return choice.getFailure();
    choices.push_back(std::move(*choice));
  }
}

/// Returns true for passes that choose the plan of the whole program by its
/// time.
static bool choosesPlan(StringRef pass) {
  return pass == "moe-choose-padding" || pass == "moe-choose-parts" ||
         pass == "moe-choose-schedule" || pass == "moe-choose-plan" ||
         pass == "moe-choose-dispatch-type";
}

std::optional<cost::Failure> moe::checkChoices(ArrayRef<ReportedChoice> choices,
                                               const Prediction &prediction,
                                               const std::string &name) {
  auto fail = [&](const Twine &reason) {
    return cost::Failure{(name + ": " + reason +
                          "; pass the remarks that moe-opt wrote for " +
                          prediction.file)
                             .str()};
  };
  llvm::StringSet<> layers;
  ModuleOp module;
  for (TaskOp task : prediction.schedule.tasks) {
    layers.insert(task.getLayer());
    module = task->getParentOfType<ModuleOp>();
  }
  // Functions may have been inlined since, but not all of them.
  std::string first;
  bool hasFunction = false;
  for (const ReportedChoice &choice : choices) {
    for (const DecidedLayer &layer : choice.getLayers())
      if (!layers.contains(layer.name))
        return fail(
            "expected remarks about layers of the program, got one of " +
            choice.pass + " about layer '" + layer.str() +
            "', which the program does not have");
    if (choice.function.empty())
      continue;
    if (first.empty())
      first = choice.function;
    hasFunction |= module && module.lookupSymbol(choice.function);
  }
  if (!first.empty() && !hasFunction)
    return fail("expected remarks about functions of the program, got some "
                "about @" +
                first + ", which the program does not have");
  return std::nullopt;
}

std::string moe::findOtherPlan(ArrayRef<ReportedChoice> choices, double us) {
  const ReportedChoice *last = nullptr;
  for (const ReportedChoice &choice : choices)
    if (choosesPlan(choice.pass) && choice.decision &&
        !choice.decision->candidates.empty())
      last = &choice;
  // Times are printed with seven digits.
  constexpr double kPrinted = 1e-5;
  if (!last)
    return "";
  double chosenUs = last->decision->candidates.front().us;
  if (std::abs(chosenUs - us) <= kPrinted * us)
    return "";
  return llvm::formatv("the plan that {0} chose takes {1:F1} us, the program "
                       "{2:F1} us: the remarks may be of another compile, or "
                       "the program was changed since",
                       last->pass, chosenUs, us);
}
