// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimal dispatches.

#include "Transport.h"
#include <algorithm>
#include <type_traits>

using namespace moe;
using namespace moe::dispatch;

namespace {

/// The amounts that links carry until a given time: small fractions of tokens
/// for real numbers, tokens for whole tokens.
template <typename T> class Carried {
  static constexpr bool kIsWhole = std::is_integral_v<T>;

public:
  Carried(const Demand &demand, const Links &links, LocalShare local,
          double leastShare)
      : links(links), n(links.getNumDevices()),
        bytesPerToken(demand.bytesPerToken) {
    auto rows = static_cast<double>(demand.getRows());
    double even = rows / static_cast<double>(n);
    // Others send a device at least `leastShare` of what they send in an even
    // dispatch, so it keeps at most the rest. A pinned share is even and needs
    // no such limit.
    double most = rows - leastShare * (rows - even);
    bool isPinned = local == LocalShare::Pinned;
    if constexpr (kIsWhole) {
      kept = isPinned ? getFloor(even) : 0;
      ownParts = getCeil(isPinned ? even : most) - kept;
    } else {
      // This limit keeps sums over all devices exact.
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

  /// Lets flows start from `tokens`, so that the result is near them.
  void startNear(Matrix<int64_t> tokens) {
    static_assert(kIsWhole);
    for (int64_t i = 0; i < n; ++i)
      tokens.at(i, i) = std::max<int64_t>(0, tokens.at(i, i) - kept);
    start = std::move(tokens);
  }

  /// Returns a dispatch that ends by `us`, in tokens; nullopt if none.
  std::optional<Matrix<T>> send(double us) const {
    Matrix<int64_t> capacities(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        capacities.at(i, j) = getParts(i, j, us);
    // A single row or column suffices to reject most times.
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

  /// Replaces `best` by a dispatch that ends by `us` if that is as fast;
  /// returns whether a dispatch exists.
  bool improve(double us, TimedDispatch<T> &best) const {
    std::optional<Matrix<T>> dispatch = send(us);
    if (!dispatch)
      return false;
    double needed = getDispatchUs(*dispatch, links, bytesPerToken);
    if (needed <= best.us)
      best = {needed, std::move(*dispatch)};
    return true;
  }

  /// Improves an arbitrary dispatch to an optimal one by bisection.
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
  /// No dispatch ends earlier.
  double leastUs = 0;
  /// Tokens of each device for itself that are fixed.
  T kept = 0;
  /// Maximum amount that each device keeps in addition.
  int64_t ownParts = 0;
  /// Amount that each device sends and receives.
  int64_t lineParts = 0;
  /// The start of flows.
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
  // The even dispatch ends in time, up to rounding errors.
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
  // Relative rounding error of the time when links carry their last token.
  constexpr double kRounding = 1e-12;
  Carried<int64_t> carried(demand, links, local, leastShare);
  carried.startNear(roundKeepingSums(target));
  TimedDispatch<int64_t> best;
  best.dispatch = roundKeepingSums(getEven(demand, links.getNumDevices()));
  best.us = getDispatchUs(best.dispatch, links, demand.bytesPerToken);
  // The result is near the target even if nothing is faster than the even
  // dispatch.
  carried.improve(best.us * (1 + kRounding), best);
  carried.bisect(best);
  return std::move(best.dispatch);
}
