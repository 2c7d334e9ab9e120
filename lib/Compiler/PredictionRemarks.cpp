//===- PredictionRemarks.cpp - Why a program is as it is --------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/PredictionReport.h"
#include "moe/Compiler/RemarkText.h"
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

/// One remark, without the layer that it begins with.
static std::pair<ReportedChoice, std::string>
makeChoice(const llvm::remarks::Remark &remark) {
  ReportedChoice choice;
  std::string layer;
  choice.pass = remark.PassName.str();
  choice.isMissed = remark.RemarkType == llvm::remarks::Type::Missed;
  for (const llvm::remarks::Argument &argument : remark.Args) {
    std::string text = unquote(argument.Val);
    if (argument.Key != "Remark" && argument.Key != "Reason") {
      choice.metrics.emplace_back(argument.Key.str(), std::move(text));
      continue;
    }
    auto [name, rest] = splitLayer(text);
    if (!name.empty())
      layer = name.str();
    choice.text += rest;
  }
  return {std::move(choice), std::move(layer)};
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
    auto [choice, layer] = makeChoice(**remark);
    auto it = llvm::find(choices, choice);
    if (it == choices.end())
      it = choices.insert(choices.end(), std::move(choice));
    if (!layer.empty())
      it->layers.push_back(std::move(layer));
  }
}
