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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// What would change the choice
//===----------------------------------------------------------------------===//

/// The row that would be chosen instead of the first one; null without any.
static FailureOr<const Candidate *> findWinner(FormSearch &search,
                                               const SearchResult &result,
                                               const cost::Machine &machine) {
  ScheduleEvaluator evaluator(machine);
  SmallVector<std::pair<const Candidate *, double>> times;
  for (const Candidate &row : result.rows) {
    FailureOr<double> us = search.getTime(row.form, evaluator);
    if (failed(us))
      return failure();
    times.push_back({&row, *us});
  }
  // Times that differ by rounding are equal.
  const Candidate *first = times.front().first;
  times.front().second *= 1 - 1e-9;
  double uncertainty = machine.uncertainty.value;
  auto *winner = cost::pickSimplest(
      times, uncertainty, [](const auto &time) { return time.second; },
      [&](const auto &a, const auto &b) {
        // Where times are exact, the first is given up for a faster one only.
        if (uncertainty == 0 && (a.first == first || b.first == first))
          return a.first == first;
        return a.first->isSimplerThan(*b.first);
      });
  return winner->first == first ? nullptr : winner->first;
}

FailureOr<std::string> moe::describeSensitivity(FormSearch &search,
                                                const SearchResult &result) {
  if (result.rows.size() < 2)
    return std::string();
  LinkRange range;
  range.isInside = staysInNodes(search.getLayer(), search.getMachine());
  return describeLinkSensitivity(search.getMachine(), "chunks as they are",
                                 [&](const cost::Machine &machine)
                                     -> FailureOr<std::optional<std::string>> {
                                   FailureOr<const Candidate *> winner =
                                       findWinner(search, result, machine);
                                   if (failed(winner))
                                     return failure();
                                   if (!*winner)
                                     return std::optional<std::string>();
                                   return std::optional(
                                       (*winner)->form.describe());
                                 },
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

std::string moe::describeChoice(const SearchResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Candidate &best = result.rows.front();
  os << best.form.describe() << " takes " << formatUs(best) << " and "
     << llvm::formatv("{0:F1}", double(best.peakBytes) / 1e6)
     << " MB of values at most";
  if (best.us > result.leastUs)
    os << ", as good as the fastest with "
       << describeUs(result.leastUs, /*isExtrapolated=*/false)
       << " within the platform's uncertainty";
  if (result.rows.size() > 1)
    os << "; next best: " << formatRow(result.rows[1]);
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
  os << "; " << result.numSimulated << " forms simulated";
  return text;
}
