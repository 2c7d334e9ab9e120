// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a program is as it is.

#include "moe/Compiler/PredictionReport.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"

using namespace mlir;
using namespace moe;

/// A text as YAML has it in single quotes, of which the parser leaves those
/// that are doubled.
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
