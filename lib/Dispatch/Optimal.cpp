//===- Optimal.cpp - The least time of any dispatch -----------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport.h"
#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::dispatch;

namespace {

/// What links carry until a time, in small parts of a token.
class Carried {
public:
  Carried(const Demand &demand, const Links &links, LocalShare local)
      : links(links), n(links.getNumDevices()),
        bytesPerToken(demand.bytesPerToken),
        isPinned(local == LocalShare::Pinned) {
    // Sums of all that is sent stay exact.
    constexpr double kMostParts = 1ll << 50;
    auto rows = static_cast<double>(demand.getRows());
    partsPerToken = kMostParts / (rows * static_cast<double>(n));
    kept = isPinned ? rows / static_cast<double>(n) : 0;
    lineParts = static_cast<int64_t>((rows - kept) * partsPerToken);
    if (isPinned)
      for (int64_t i = 0; i < n; ++i)
        leastUs = std::max(leastUs, links.at(i, i).alphaUs +
                                        links.at(i, i).betaUsPerByte *
                                            bytesPerToken * kept);
  }

  /// A time before which no dispatch ends.
  double getLeastUs() const { return leastUs; }

  /// How all can be sent and received until then, in tokens; nullopt where it
  /// cannot.
  std::optional<Matrix<double>> send(double us) const {
    Matrix<int64_t> capacities(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        capacities.at(i, j) = getParts(i, j, us);
    // Most times are told by a row or a column alone.
    for (int64_t i = 0; i < n; ++i) {
      int64_t row = 0, column = 0;
      for (int64_t j = 0; j < n; ++j) {
        row += capacities.at(i, j);
        column += capacities.at(j, i);
      }
      if (row < lineParts || column < lineParts)
        return std::nullopt;
    }
    std::vector<int64_t> lines(static_cast<size_t>(n), lineParts);
    std::optional<Matrix<int64_t>> parts = transport(capacities, lines, lines);
    if (!parts)
      return std::nullopt;
    Matrix<double> dispatch(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        dispatch.at(i, j) =
            isPinned && i == j
                ? kept
                : static_cast<double>(parts->at(i, j)) / partsPerToken;
    return dispatch;
  }

private:
  int64_t getParts(int64_t i, int64_t j, double us) const {
    const Link &link = links.at(i, j);
    if ((isPinned && i == j) || us <= link.alphaUs)
      return 0;
    double parts = (us - link.alphaUs) / (link.betaUsPerByte * bytesPerToken) *
                   partsPerToken;
    return parts < static_cast<double>(lineParts) ? static_cast<int64_t>(parts)
                                                  : lineParts;
  }

  const Links &links;
  int64_t n;
  double bytesPerToken, partsPerToken = 1, leastUs = 0;
  /// Tokens of a device for itself that are not chosen.
  double kept = 0;
  /// What a device sends, and receives.
  int64_t lineParts = 0;
  bool isPinned;
};

} // namespace

std::optional<Optimum> moe::dispatch::getOptimum(const Demand &demand,
                                                 const Links &links,
                                                 LocalShare local) {
  constexpr double kExact = 1e-10;
  constexpr int kMostSteps = 200;
  int64_t n = links.getNumDevices();
  if (n > kMostExactDevices)
    return std::nullopt;
  Carried carried(demand, links, local);
  double least = carried.getLeastUs();
  // Even dispatch ends in time, but for what rounding takes of it.
  Optimum best;
  best.dispatch = getEven(demand, n);
  best.us = getDispatchUs(best.dispatch, links, demand.bytesPerToken);
  // Whether there is a dispatch until then; the best is then one that is.
  auto improve = [&](double us) {
    std::optional<Matrix<double>> dispatch = carried.send(us);
    if (dispatch)
      best = {us, std::move(*dispatch)};
    return dispatch.has_value();
  };
  if (least >= best.us || improve(least))
    return best;
  for (int step = 0; step < kMostSteps && best.us - least > kExact * best.us;
       ++step) {
    double middle = least + (best.us - least) / 2;
    if (!improve(middle))
      least = middle;
  }
  return best;
}
