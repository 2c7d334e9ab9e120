// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch that is adapted to the topology.

#include "moe/Dispatch/Target.h"
#include "Transport.h"
#include <algorithm>
#include <cmath>

using namespace moe;
using namespace moe::dispatch;

template <typename T>
double moe::dispatch::getDispatchUs(const Matrix<T> &dispatch,
                                    const Links &links, double bytesPerToken) {
  double us = 0;
  for (int64_t i = 0; i < dispatch.getSize(); ++i)
    for (int64_t j = 0; j < dispatch.getSize(); ++j)
      if (dispatch.at(i, j) > 0)
        us = std::max(
            us, links.at(i, j).getUs(bytesPerToken,
                                     static_cast<double>(dispatch.at(i, j))));
  return us;
}
template double moe::dispatch::getDispatchUs(const Matrix<double> &,
                                             const Links &, double);
template double moe::dispatch::getDispatchUs(const Matrix<int64_t> &,
                                             const Links &, double);

Matrix<double> moe::dispatch::getEven(const Demand &demand,
                                      int64_t numDevices) {
  return Matrix<double>(numDevices, static_cast<double>(demand.getRows()) /
                                        static_cast<double>(numDevices));
}

Matrix<double> moe::dispatch::getProportional(const Demand &demand,
                                              const Links &smoothLinks,
                                              LocalShare local) {
  int64_t n = smoothLinks.getNumDevices();
  auto rows = static_cast<double>(demand.getRows());
  Matrix<double> target = getEven(demand, n);
  bool isPinned = local == LocalShare::Pinned;
  for (int64_t i = 0; i < n; ++i) {
    double bandwidth = 0;
    for (int64_t j = 0; j < n; ++j)
      if (!isPinned || j != i)
        bandwidth += 1 / smoothLinks.at(i, j).betaUsPerByte;
    double rest = isPinned ? rows - target.at(i, i) : rows;
    for (int64_t j = 0; j < n; ++j)
      if (!isPinned || j != i)
        target.at(i, j) =
            rest / (bandwidth * smoothLinks.at(i, j).betaUsPerByte);
  }
  return target;
}

//===----------------------------------------------------------------------===//
// Sums of rows and columns
//===----------------------------------------------------------------------===//

double moe::dispatch::balance(Matrix<double> &dispatch, double sum,
                              LocalShare local) {
  constexpr int kMostRounds = 1000;
  constexpr double kEnough = 1e-12;
  int64_t n = dispatch.getSize();
  bool isPinned = local == LocalShare::Pinned;
  // Computes the sum of a row or column and of its pinned part.
  auto add = [&](int64_t line, bool isRow) {
    double all = 0;
    for (int64_t i = 0; i < n; ++i)
      all += isRow ? dispatch.at(line, i) : dispatch.at(i, line);
    return all;
  };
  auto getResidual = [&] {
    double worst = 0;
    for (int64_t i = 0; i < n; ++i)
      for (bool isRow : {true, false})
        worst = std::max(worst, std::abs(add(i, isRow) - sum));
    return worst / sum;
  };
  double residual = getResidual();
  for (int round = 0; round < kMostRounds && residual > kEnough; ++round) {
    for (bool isRow : {true, false})
      for (int64_t line = 0; line < n; ++line) {
        double fixed = isPinned ? dispatch.at(line, line) : 0;
        double scaled = add(line, isRow) - fixed;
        if (scaled <= 0)
          continue;
        double factor = (sum - fixed) / scaled;
        for (int64_t i = 0; i < n; ++i)
          if (!isPinned || i != line)
            (isRow ? dispatch.at(line, i) : dispatch.at(i, line)) *= factor;
      }
    residual = getResidual();
  }
  return residual;
}

Matrix<int64_t>
moe::dispatch::roundKeepingSums(const Matrix<double> &dispatch) {
  int64_t n = dispatch.getSize();
  Matrix<int64_t> floors(n), open(n);
  std::vector<double> rowSums(static_cast<size_t>(n)),
      columnSums(static_cast<size_t>(n));
  std::vector<int64_t> rows(static_cast<size_t>(n)),
      columns(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double value = dispatch.at(i, j);
      floors.at(i, j) = getFloor(value);
      open.at(i, j) = getCeil(value) - floors.at(i, j);
      rowSums[static_cast<size_t>(i)] += value;
      columnSums[static_cast<size_t>(j)] += value;
      rows[static_cast<size_t>(i)] -= floors.at(i, j);
      columns[static_cast<size_t>(j)] -= floors.at(i, j);
    }
  for (int64_t i = 0; i < n; ++i) {
    rows[static_cast<size_t>(i)] +=
        std::llround(rowSums[static_cast<size_t>(i)]);
    columns[static_cast<size_t>(i)] +=
        std::llround(columnSums[static_cast<size_t>(i)]);
  }
  // The fractions are such a matrix in real numbers, so one in integers exists.
  // Rounding errors may prevent it; then other entries may be used, too.
  std::optional<Matrix<int64_t>> ones = transport(open, rows, columns);
  if (!ones)
    ones = transport(Matrix<int64_t>(n, n), rows, columns);
  for (size_t i = 0; ones && i < floors.getValues().size(); ++i)
    floors.getValues()[i] += ones->getValues()[i];
  return floors;
}

Matrix<int64_t> moe::dispatch::spreadOverExperts(const Matrix<int64_t> &tokens,
                                                 int64_t expertsPerDevice) {
  int64_t n = tokens.getSize();
  auto spread = Matrix<int64_t>::of(n, n * expertsPerDevice);
  // The next expert of each device to receive one more token than others.
  std::vector<int64_t> next(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      int64_t *own = &spread.at(i, j * expertsPerDevice);
      int64_t &first = next[static_cast<size_t>(j)];
      std::fill_n(own, expertsPerDevice, tokens.at(i, j) / expertsPerDevice);
      for (int64_t left = tokens.at(i, j) % expertsPerDevice; left > 0;
           --left, first = (first + 1) % expertsPerDevice)
        ++own[first];
    }
  }
  return spread;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static std::string checkDemand(const Demand &demand, int64_t numDevices) {
  // Up to this limit, whole numbers of tokens of all devices are exact in
  // floating point.
  constexpr double kMostRows = 9007199254740992.0;
  if (demand.tokens < 1)
    return "expected at least 1 token, got " + std::to_string(demand.tokens);
  if (demand.topK < 1)
    return "expected a top-k of at least 1, got " + std::to_string(demand.topK);
  if (!std::isfinite(demand.bytesPerToken) || demand.bytesPerToken <= 0)
    return "expected bytes per token greater than 0, got " +
           std::to_string(demand.bytesPerToken);
  if (static_cast<double>(demand.tokens) * static_cast<double>(demand.topK) *
          static_cast<double>(numDevices) >
      kMostRows)
    return "expected at most 2^53 tokens of all devices, times top-k, got " +
           std::to_string(demand.tokens) + " times " +
           std::to_string(demand.topK) + " of " + std::to_string(numDevices) +
           " devices";
  return "";
}

/// Returns the least share of its rows that any device receives from others.
static double getLeastFromOthers(const Matrix<double> &target, double rows) {
  double least = 1;
  for (int64_t j = 0; j < target.getSize(); ++j) {
    double others = 0;
    for (int64_t i = 0; i < target.getSize(); ++i)
      others += i == j ? 0 : target.at(i, j);
    least = std::min(least, others / rows);
  }
  return least;
}

/// Mixes in the amount of the even dispatch that the isolation guard requires.
static double keepFromIsolation(Matrix<double> &target,
                                const Matrix<double> &even, double rows,
                                double leastShare) {
  auto n = static_cast<double>(target.getSize());
  double evenFromOthers = (n - 1) / n, wanted = leastShare * evenFromOthers;
  double least = getLeastFromOthers(target, rows);
  // Differences due to rounding count as met.
  constexpr double kRounding = 1e-9;
  if (least >= wanted * (1 - kRounding) || evenFromOthers <= least)
    return 0;
  double share = (wanted - least) / (evenFromOthers - least);
  for (size_t i = 0; i < target.getValues().size(); ++i)
    target.getValues()[i] +=
        share * (even.getValues()[i] - target.getValues()[i]);
  return share;
}

cost::Result<DispatchPlan>
moe::dispatch::planDispatch(const Topology &topology, const Links &links,
                            const Demand &demand,
                            const TargetOptions &options) {
  int64_t n = topology.getNumDevices();
  if (links.getNumDevices() != n)
    return cost::Failure{"expected links between the " + std::to_string(n) +
                         " devices of topology " + topology.print() +
                         ", got such of " +
                         std::to_string(links.getNumDevices())};
  if (std::string wrong = checkDemand(demand, n); !wrong.empty())
    return cost::Failure{wrong};
  if (std::string wrong = links.check(); !wrong.empty())
    return cost::Failure{wrong};
  if (!(options.leastShare >= 0 && options.leastShare <= 1))
    return cost::Failure{"expected a least share in [0, 1], got " +
                         std::to_string(options.leastShare)};
  DispatchPlan plan;
  auto rows = static_cast<double>(demand.getRows());
  Matrix<double> even = getEven(demand, n);
  Matrix<int64_t> evenTokens = roundKeepingSums(even);
  plan.evenUs = getDispatchUs(even, links, demand.bytesPerToken);
  plan.evenTokensUs = getDispatchUs(evenTokens, links, demand.bytesPerToken);
  bool isExact = options.planner == Planner::Exact;
  if (isExact) {
    std::optional<Optimum> best =
        getOptimum(demand, links, options.local, options.leastShare);
    if (!best)
      return cost::Failure{
          "expected at most " + std::to_string(kMostExactDevices) +
          " devices for an exact target, got " + std::to_string(n)};
    plan.target = std::move(best->dispatch);
  } else {
    Links smooth = links.smooth(topology.symmetrize(plan.notes));
    plan.target = getProportional(demand, smooth, options.local);
  }
  Matrix<double> unbalanced = plan.target;
  plan.residual = balance(plan.target, rows, options.local);
  for (size_t i = 0; i < unbalanced.getValues().size(); ++i)
    plan.imbalance =
        std::max(plan.imbalance, std::abs(unbalanced.getValues()[i] -
                                          plan.target.getValues()[i]) /
                                     rows);
  if (!isExact)
    plan.evenShare =
        keepFromIsolation(plan.target, even, rows, options.leastShare);
  plan.tokens = isExact ? getOptimalTokens(demand, links, options.local,
                                           options.leastShare, plan.target)
                        : roundKeepingSums(plan.target);
  plan.targetUs = getDispatchUs(plan.target, links, demand.bytesPerToken);
  plan.tokensUs = getDispatchUs(plan.tokens, links, demand.bytesPerToken);
  // The whole tokens of an exact target are not its rounding: they may be
  // faster even if the even dispatch is as fast in real numbers.
  bool isFaster = plan.targetUs < plan.evenUs ||
                  (isExact && plan.tokensUs < plan.evenTokensUs);
  plan.isEven = !isFaster || plan.tokensUs > plan.evenTokensUs;
  if (plan.isEven) {
    plan.target = std::move(even);
    plan.tokens = std::move(evenTokens);
    plan.targetUs = plan.evenUs;
    plan.tokensUs = plan.evenTokensUs;
    plan.evenShare = 1;
  }
  plan.leastFromOthers = getLeastFromOthers(plan.target, rows);
  return plan;
}
