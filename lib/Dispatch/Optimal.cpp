// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least time of any dispatch.

#include "Transport.h"
#include <algorithm>
#include <type_traits>

using namespace moe;
using namespace moe::dispatch;

namespace {

/// What links carry until a time: of real numbers in small parts of a token,
/// of whole tokens in tokens.
template <typename T> class Carried {
  static constexpr bool kIsWhole = std::is_integral_v<T>;

public:
  Carried(const Demand &demand, const Links &links, LocalShare local,
          double leastShare)
      : links(links), n(links.getNumDevices()),
        bytesPerToken(demand.bytesPerToken) {
    auto rows = static_cast<double>(demand.getRows());
    double even = rows / static_cast<double>(n);
    // What others send a device at least, it does not keep. It is an even
    // dispatch's at most, so a pinned share needs no such limit.
    double most = rows - leastShare * (rows - even);
    bool isPinned = local == LocalShare::Pinned;
    if constexpr (kIsWhole) {
      kept = isPinned ? getFloor(even) : 0;
      ownParts = getCeil(isPinned ? even : most) - kept;
    } else {
      // Sums of all that is sent stay exact.
      constexpr double kMostParts = 1ll << 50;
      partsPerToken = kMostParts / (rows * static_cast<double>(n));
      kept = isPinned ? even : 0;
      ownParts = isPinned ? 0 : static_cast<int64_t>(most * partsPerToken);
    }
    auto keptTokens = static_cast<double>(kept);
    lineParts = static_cast<int64_t>((rows - keptTokens) * partsPerToken);
    for (int64_t i = 0; kept > 0 && i < n; ++i)
      leastUs =
          std::max(leastUs, links.at(i, i).getUs(bytesPerToken, keptTokens));
  }

  /// Has what is sent differ little from whole tokens.
  void startNear(Matrix<int64_t> tokens) {
    static_assert(kIsWhole);
    for (int64_t i = 0; i < n; ++i)
      tokens.at(i, i) = std::max<int64_t>(0, tokens.at(i, i) - kept);
    start = std::move(tokens);
  }

  /// How all can be sent and received until then, in tokens; nullopt where it
  /// cannot.
  std::optional<Matrix<T>> send(double us) const {
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
    std::optional<Matrix<int64_t>> parts =
        transport(capacities, lines, lines, start ? &*start : nullptr);
    if (!parts)
      return std::nullopt;
    Matrix<T> dispatch(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        dispatch.at(i, j) =
            static_cast<T>(parts->at(i, j)) / static_cast<T>(partsPerToken) +
            (i == j ? kept : 0);
    return dispatch;
  }

  /// Takes a dispatch that ends until a time, in place of `best` where it is
  /// as fast; whether there is one.
  bool improve(double us, TimedDispatch<T> &best) const {
    std::optional<Matrix<T>> dispatch = send(us);
    if (!dispatch)
      return false;
    double needed = getDispatchUs(*dispatch, links, bytesPerToken);
    if (needed <= best.us)
      best = {needed, std::move(*dispatch)};
    return true;
  }

  /// Finds a dispatch that no other is faster than by bisection, from one that
  /// is any.
  void bisect(TimedDispatch<T> &best) const {
    constexpr double kExact = 1e-10;
    constexpr int kMostSteps = 200;
    double least = leastUs;
    if (least >= best.us || improve(least, best))
      return;
    for (int step = 0; step < kMostSteps && best.us - least > kExact * best.us;
         ++step) {
      double middle = least + (best.us - least) / 2;
      if (!improve(middle, best))
        least = middle;
    }
  }

private:
  int64_t getParts(int64_t i, int64_t j, double us) const {
    const Link &link = links.at(i, j);
    if (us <= link.alphaUs)
      return 0;
    double parts = (us - link.alphaUs) / (link.betaUsPerByte * bytesPerToken);
    if (i == j)
      parts -= static_cast<double>(kept);
    parts *= partsPerToken;
    int64_t most = i == j ? ownParts : lineParts;
    return parts < static_cast<double>(most)
               ? std::max<int64_t>(0, static_cast<int64_t>(parts))
               : most;
  }

  const Links &links;
  int64_t n;
  double bytesPerToken, partsPerToken = 1;
  /// A time before which no dispatch ends.
  double leastUs = 0;
  /// Tokens of a device for itself that are not chosen.
  T kept = 0;
  /// What a device keeps beyond these at most.
  int64_t ownParts = 0;
  /// What a device sends, and receives.
  int64_t lineParts = 0;
  /// Where flows start from.
  std::optional<Matrix<int64_t>> start;
};

} // namespace

std::optional<Optimum> moe::dispatch::getOptimum(const Demand &demand,
                                                 const Links &links,
                                                 LocalShare local,
                                                 double leastShare) {
  int64_t n = links.getNumDevices();
  if (n > kMostExactDevices)
    return std::nullopt;
  // Even dispatch ends in time, but for what rounding takes of it.
  Optimum best;
  best.dispatch = getEven(demand, n);
  best.us = getDispatchUs(best.dispatch, links, demand.bytesPerToken);
  Carried<double>(demand, links, local, leastShare).bisect(best);
  return best;
}

Matrix<int64_t> moe::dispatch::getOptimalTokens(const Demand &demand,
                                                const Links &links,
                                                LocalShare local,
                                                double leastShare,
                                                const Matrix<double> &target) {
  // Links carry their last token at a time that has this rounding error.
  constexpr double kRounding = 1e-12;
  Carried<int64_t> carried(demand, links, local, leastShare);
  carried.startNear(roundKeepingSums(target));
  TimedDispatch<int64_t> best;
  best.dispatch = roundKeepingSums(getEven(demand, links.getNumDevices()));
  best.us = getDispatchUs(best.dispatch, links, demand.bytesPerToken);
  // The answer is near the target also where none is faster than even.
  carried.improve(best.us * (1 + kRounding), best);
  carried.bisect(best);
  return std::move(best.dispatch);
}
