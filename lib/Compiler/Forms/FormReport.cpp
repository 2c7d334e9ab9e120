//===- FormReport.cpp - What is said of a choice ----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormSearch.h"
#include "moe/Cost/Choice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace moe;

//===----------------------------------------------------------------------===//
// What would change the choice
//===----------------------------------------------------------------------===//

/// A machine whose links beyond the innermost level are `factor` times as
/// fast.
static cost::Machine scaleLinks(const cost::Machine &machine, double factor) {
  cost::Machine scaled = machine;
  for (cost::Level &level : llvm::drop_begin(scaled.levels)) {
    level.bandwidth = level.bandwidth * factor;
    for (std::optional<cost::CollectiveFit> &fit : level.fits)
      if (fit) {
        fit->beta = fit->beta / factor;
        for (cost::CollectiveFit &other : fit->others)
          other.beta = other.beta / factor;
      }
  }
  return scaled;
}

/// Four digits that count, which serve toy machines and real ones.
static std::string formatNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", number);
  return text;
}

namespace {

/// Looks for the bandwidths at which a choice changes.
class TieFinder {
public:
  TieFinder(FormSearch &search, const SearchResult &result)
      : search(search), result(result) {}

  struct Tie {
    double factor;
    const Candidate *row;
  };

  /// The factor nearest to 1, among those up to 2^6 (or from 2^-6), at which a
  /// row of `rows` would be chosen instead of the first: to 1 part in 1000.
  FailureOr<std::optional<Tie>> find(bool upward) {
    double near = 1;
    for (int power = 1; power <= kMaxPower; ++power) {
      double far = upward ? near * 2 : near / 2;
      FailureOr<const Candidate *> winner = getWinner(far);
      if (failed(winner))
        return failure();
      if (!*winner) {
        near = far;
        continue;
      }
      const Candidate *row = *winner;
      while (std::max(near / far, far / near) > 1.001) {
        double middle = std::sqrt(near * far);
        if (failed(winner = getWinner(middle)))
          return failure();
        if (*winner)
          row = *winner;
        (*winner ? far : near) = middle;
      }
      return std::optional<Tie>({far, row});
    }
    return std::optional<Tie>();
  }

  static constexpr int kMaxPower = 6;

private:
  /// The row that would be chosen instead of the first one; null without any.
  FailureOr<const Candidate *> getWinner(double factor) {
    cost::Machine machine = scaleLinks(search.getMachine(), factor);
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

  FormSearch &search;
  const SearchResult &result;
};

} // namespace

/// What `scaleLinks` changes by a factor, in the words of a platform's file:
/// the bandwidth of the one level where that is all, else the factor with the
/// keys that it is on. A measured line stands for its collective whatever the
/// bandwidth.
static std::string describeLinks(const cost::Machine &machine, double factor) {
  auto outer = llvm::drop_begin(machine.levels);
  bool isMeasured = llvm::any_of(outer, [](const cost::Level &level) {
    return llvm::any_of(level.fits, [](auto &fit) { return fit.has_value(); });
  });
  if (machine.levels.size() == 2 && !isMeasured)
    return llvm::formatv(
        "{0} at {1} GB/s instead of {2}", machine.levels[1].name,
        formatNumber(machine.levels[1].bandwidth.value() * factor),
        formatNumber(machine.levels[1].bandwidth.value()));
  std::vector<std::string> names;
  for (const cost::Level &level : outer)
    names.push_back(level.name);
  return llvm::formatv("{0} {1} times as fast (bandwidth_GBps times {1}{2})",
                       llvm::join(names, " and "), formatNumber(factor),
                       isMeasured ? ", beta_us_per_byte of measured lines over "
                                    "as much"
                                  : "");
}

FailureOr<std::string> moe::describeSensitivity(FormSearch &search,
                                                const SearchResult &result) {
  const cost::Machine &machine = search.getMachine();
  if (result.rows.size() < 2 || machine.levels.size() < 2)
    return std::string();
  TieFinder finder(search, result);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (bool upward : {false, true}) {
    FailureOr<std::optional<TieFinder::Tie>> tie = finder.find(upward);
    if (failed(tie))
      return failure();
    if (!*tie)
      continue;
    os << (text.empty() ? "" : "; ") << (*tie)->row->form.describe()
       << (machine.uncertainty.value > 0 ? " would be chosen" : " is as fast")
       << " with " << describeLinks(machine, (*tie)->factor)
       << " (chunks as they are)";
  }
  if (text.empty()) {
    double range = double(int64_t(1) << TieFinder::kMaxPower);
    os << "neither " << describeLinks(machine, 1 / range) << " nor "
       << describeLinks(machine, range) << " changes this (chunks as they are)";
  }
  return text;
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
