//===- FormReport.cpp - What is said of a choice ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSensitivity.h"
#include "FormSearch.h"
#include "NodeBoundary.h"
#include "moe/Cost/Choice.h"
#include "moe/Platform/MachineParameters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// What would change the choice
//===----------------------------------------------------------------------===//

static bool isTie(const Candidate &a, const Candidate &b) {
  return !cost::isFaster(a.us, b.us) && !cost::isFaster(b.us, a.us);
}

FailureOr<std::string> moe::describeSensitivity(FormSearch &search,
                                                const SearchResult &result) {
  if (result.rows.size() < 2)
    return std::string();
  LinkRange range;
  if (staysInNodes(search.getLayer(), search.getMachine()))
    range.varied = VariedLinks::Inside;
  std::string chosen = result.rows.front().form.describeRow();
  auto findChoice =
      [&](const cost::Machine &machine,
          double speed) -> FailureOr<LinkChoice> {
    FailureOr<SearchResult> found = search.runOn(machine, speed);
    if (failed(found))
      return failure();
    // What fits the memory here may not where it takes other times.
    if (found->rows.empty())
      return LinkChoice{chosen, chosen};
    const Candidate &best = found->rows.front();
    auto *same = llvm::find_if(found->rows, [&](const Candidate &row) {
      return row.form.describeRow() == chosen;
    });
    return LinkChoice{best.form.describeRow(), best.form.describe(),
                      same != found->rows.end() && isTie(best, *same)};
  };
  return describeLinkSensitivity(search.getMachine(), chosen, findChoice,
                                 range);
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static std::string formatUs(const Candidate &row) {
  return describeUs(row.us, row.numExtrapolated != 0);
}

static std::string formatRow(const Candidate &row) {
  return llvm::formatv("{0}, {1}, {2:F1} MB", row.form.describe(),
                       formatUs(row), double(row.peakBytes) / 1e6)
      .str();
}

std::string moe::describeChoice(const SearchResult &result,
                                const cost::Machine &machine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Candidate &best = result.rows.front();
  os << best.form.describe() << " takes " << formatUs(best) << " and "
     << llvm::formatv("{0:F1}", double(best.peakBytes) / 1e6)
     << " MB at peak";
  if (cost::isFaster(result.leastUs, best.us))
    os << ", as good as the fastest with "
       << describeUs(result.leastUs, /*isExtrapolated=*/false)
       << " within " << platform::describeUncertainty(machine)
       << ", and simpler";
  else if (result.rows.size() > 1 && isTie(best, result.rows[1]))
    os << ", as fast as the runner-up, and simpler";
  if (result.rows.size() > 1)
    os << "; runner-up: " << formatRow(result.rows[1]);
  if (result.baseline)
    os << "; baseline: " << formatUs(*result.baseline) << ", "
       << llvm::formatv("{0:F1} MB", double(result.baseline->peakBytes) / 1e6);
  for (const Candidate &row : llvm::drop_begin(result.rows, 1))
    if (&row != &result.rows[1] && !row.form.isBaseline())
      os << "; " << formatRow(row);
  for (const auto &[what, why] : result.impossible) {
    // One part of the text each.
    SmallVector<StringRef> reasons;
    StringRef(why).split(reasons, "; ");
    os << "; no " << what << ": " << llvm::join(reasons, ", ");
  }
  os << "; " << result.numSimulated << " candidate"
     << (result.numSimulated == 1 ? "" : "s") << " simulated";
  return text;
}
