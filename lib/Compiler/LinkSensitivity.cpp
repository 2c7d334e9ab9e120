//===- LinkSensitivity.cpp - What other links would change ------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSensitivity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace moe;

/// The levels whose links are varied.
template <typename Levels>
static auto getVaried(Levels levels, const LinkRange &range) {
  return range.isInside ? levels.take_front() : levels.drop_front();
}

/// A machine whose varied links are `factor` times as fast.
static cost::Machine scaleLinks(const cost::Machine &machine,
                                const LinkRange &range, double factor) {
  cost::Machine scaled = machine;
  for (cost::Level &level : getVaried(MutableArrayRef(scaled.levels), range)) {
    level.bandwidth = level.bandwidth * factor;
    if (level.portRate)
      level.portRate = *level.portRate * factor;
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

/// What `scaleLinks` changes by a factor, in the words of a platform's file:
/// the bandwidth of the one level where that is all, else the factor with the
/// keys that it is on. A measured line stands for its collective whatever the
/// bandwidth.
static std::string describeLinks(const cost::Machine &machine,
                                 const LinkRange &range, double factor) {
  ArrayRef<cost::Level> varied = getVaried(ArrayRef(machine.levels), range);
  bool isMeasured = llvm::any_of(varied, [](const cost::Level &level) {
    return llvm::any_of(level.fits, [](auto &fit) { return fit.has_value(); });
  });
  bool hasPort = llvm::any_of(varied, [](const cost::Level &level) {
    return level.portRate.has_value();
  });
  if (varied.size() == 1 && !isMeasured && !hasPort)
    return llvm::formatv("{0} at {1} GB/s instead of {2}", varied[0].name,
                         formatNumber(varied[0].bandwidth.value() * factor),
                         formatNumber(varied[0].bandwidth.value()));
  std::vector<std::string> names;
  for (const cost::Level &level : varied)
    names.push_back(level.name);
  return llvm::formatv("{0} {1} times as fast (bandwidth_GBps{2} times {1}{3})",
                       llvm::join(names, " and "), formatNumber(factor),
                       hasPort ? " and port_GBps" : "",
                       isMeasured ? ", beta_us_per_byte of measured lines over "
                                    "as much"
                                  : "");
}

namespace {

/// A speed of the links at which something else is chosen.
struct Tie {
  double factor;
  std::string other;
};

} // namespace

/// The factor nearest to 1, among those up to 2^maxPower (or from 2^-maxPower),
/// at which something else is chosen.
static FailureOr<std::optional<Tie>> findTie(const cost::Machine &machine,
                                             FindOther findOther,
                                             const LinkRange &range,
                                             bool upward) {
  auto find = [&](double factor) {
    return findOther(scaleLinks(machine, range, factor));
  };
  double near = 1;
  for (int power = 1; power <= range.maxPower; ++power) {
    double far = upward ? near * 2 : near / 2;
    FailureOr<std::optional<std::string>> other = find(far);
    if (failed(other))
      return failure();
    if (!*other) {
      near = far;
      continue;
    }
    std::string name = **other;
    while (std::max(near / far, far / near) > 1 + 1 / range.precision) {
      double middle = std::sqrt(near * far);
      if (failed(other = find(middle)))
        return failure();
      if (*other)
        name = **other;
      (*other ? far : near) = middle;
    }
    return std::optional<Tie>({far, name});
  }
  return std::optional<Tie>();
}

FailureOr<std::string>
moe::describeLinkSensitivity(const cost::Machine &machine, StringRef note,
                             FindOther findOther, LinkRange range) {
  std::string text;
  if (machine.levels.size() < 2)
    return text;
  llvm::raw_string_ostream os(text);
  for (bool upward : {false, true}) {
    FailureOr<std::optional<Tie>> tie =
        findTie(machine, findOther, range, upward);
    if (failed(tie))
      return failure();
    if (!*tie)
      continue;
    os << (text.empty() ? "" : "; ") << (*tie)->other
       << (machine.uncertainty.value > 0 ? " would be chosen" : " is as fast")
       << " with " << describeLinks(machine, range, (*tie)->factor) << " (" << note
       << ")";
  }
  if (text.empty()) {
    double most = double(int64_t(1) << range.maxPower);
    os << "neither " << describeLinks(machine, range, 1 / most) << " nor "
       << describeLinks(machine, range, most) << " changes this (" << note << ")";
  }
  return text;
}
