// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch that is adapted to the topology.
//
// Computes how much each device should send to each other device, so that the
// slowest delivery of an all-to-all ends as early as possible (TA-MoE, section
// 4; SPEC TA-1 to TA-5). A dispatch is a matrix of tokens with one row per
// source and one column per target device; each device sends and receives top-k
// times its number of tokens in total.

#ifndef MOE_DISPATCH_TARGET_H
#define MOE_DISPATCH_TARGET_H

#include "moe/Cost/Matrix.h"
#include "moe/Dispatch/Links.h"

#include <optional>

namespace moe::dispatch {

/// How much each device keeps for its own experts (SPEC TA-3).
enum class LocalShare : uint8_t {
  /// The even share; the rest is spread over the other devices.
  Pinned,
  /// A share by its local bandwidth, like for any other link.
  Bandwidth
};

/// The tokens that every device dispatches.
struct Demand {
  /// Tokens per device, S; at least 1.
  int64_t tokens = 1;
  /// Experts per token, k; at least 1.
  int64_t topK = 1;
  /// Bytes per token; greater than 0.
  double bytesPerToken = 1;

  /// Returns the rows that each device sends and receives: k * S.
  int64_t getRows() const { return tokens * topK; }
};

/// Tokens from each device to each other device, or to each expert.
using cost::Matrix;

/// Returns the time of a dispatch in microseconds, which is the time of its
/// slowest delivery (SPEC TA-1). Empty deliveries take no time.
template <typename T>
double getDispatchUs(const Matrix<T> &dispatch, const Links &links,
                     double bytesPerToken);

/// Returns a dispatch with the same share for every device (SPEC TA-7, "even").
Matrix<double> getEven(const Demand &demand, int64_t numDevices);

/// Returns the closed form of SPEC TA-3 on smooth links: volume proportional to
/// bandwidth. Row sums equal the demand; column sums do so on symmetric trees.
Matrix<double> getProportional(const Demand &demand, const Links &smoothLinks,
                               LocalShare local);

/// Scales rows and columns alternately until all sums are `sum` (Sinkhorn, SPEC
/// TA-4). With `LocalShare::Pinned`, the diagonal is unchanged. Returns the
/// residual: the greatest difference of a sum from `sum`, relative to `sum`.
double balance(Matrix<double> &dispatch, double sum, LocalShare local);

/// Returns whole tokens with the same row and column sums, where each number
/// differs from the given one by less than one. The sums of rows and columns
/// must be integers, up to rounding.
Matrix<int64_t> roundKeepingSums(const Matrix<double> &dispatch);

template <typename T> struct TimedDispatch {
  double us = 0;
  Matrix<T> dispatch;
};

/// An optimal dispatch in real numbers. Sums of rows and columns equal the
/// demand, up to rounding by 1e-12.
using Optimum = TimedDispatch<double>;

/// Returns the least time of any dispatch of the demand and a dispatch with
/// this time, with a relative accuracy of 1e-9 (SPEC TA-5). The search bisects
/// the time and computes a flow over the amounts that links carry until then.
/// Every device receives from others at least `leastShare` of the amount in an
/// even dispatch. Returns nullopt for more than `kMostExactDevices` devices.
std::optional<Optimum> getOptimum(const Demand &demand, const Links &links,
                                  LocalShare local, double leastShare = 0);
constexpr int64_t kMostExactDevices = 256;

/// Returns an optimal dispatch in whole tokens, with a relative accuracy of
/// 1e-9. The search is the same bisection, with at most 200 flows. Each flow
/// starts from `roundKeepingSums(target)`, which is the result if it is
/// optimal. Sums of rows and columns equal the demand. A pinned own share, or
/// the limit that follows from `leastShare`, may be off by less than one token
/// because of rounding.
Matrix<int64_t> getOptimalTokens(const Demand &demand, const Links &links,
                                 LocalShare local, double leastShare,
                                 const Matrix<double> &target);

/// Divides the tokens for each device among its experts. Rows are devices and
/// columns are experts, with `expertsPerDevice` adjacent columns per device.
/// The column sums of the same device differ by at most 1, and so do the
/// numbers of one row.
Matrix<int64_t> spreadOverExperts(const Matrix<int64_t> &tokens,
                                  int64_t expertsPerDevice);

struct DispatchPlan {
  /// The target, in real numbers and in whole tokens. For an exact target, the
  /// whole tokens may differ from it by more than one if that is faster.
  Matrix<double> target;
  Matrix<int64_t> tokens;
  /// Times of both, and of even dispatch in real numbers and in whole tokens.
  double targetUs = 0, tokensUs = 0, evenUs = 0, evenTokensUs = 0;
  /// True if the even dispatch is at least as good and is therefore the target.
  /// An exact target yields to it only if it is as fast both in real numbers
  /// and in whole tokens.
  bool isEven = false;
  /// Relative error of row and column sums before and after balancing.
  double imbalance = 0, residual = 0;
  /// Share of the even dispatch that was mixed in for the isolation guard, in
  /// [0, 1]. An exact target meets the guard without it.
  double evenShare = 0;
  /// The least share of its rows that any device receives from all other
  /// devices together. Experts that receive little from others are isolated.
  double leastFromOthers = 0;
  /// Descriptions of changes to the topology.
  std::vector<std::string> notes;
};

/// The origin of a target.
enum class Planner : uint8_t {
  /// The closed form of SPEC TA-3, which ignores latencies.
  Proportional,
  /// The optimum of SPEC TA-5 on the given links, in real numbers and in whole
  /// tokens. If several dispatches are optimal, the choice among them is
  /// arbitrary.
  Exact
};

struct TargetOptions {
  LocalShare local = LocalShare::Pinned;
  /// Isolation guard: the least amount that every device receives from others,
  /// relative to an even dispatch; in [0, 1].
  double leastShare = 0;
  Planner planner = Planner::Proportional;
};

/// Returns the better of the target and the even dispatch, by their times on
/// the given links. The closed form's target is computed on links that are
/// smoothed over the nearest symmetric tree. Fails if the demand or the links
/// are out of range, if the links have another number of devices than the
/// topology, or, for an exact target, if there are more than
/// `kMostExactDevices`. The failure names the expected values.
cost::Result<DispatchPlan> planDispatch(const Topology &topology,
                                        const Links &links,
                                        const Demand &demand,
                                        const TargetOptions &options = {});

} // namespace moe::dispatch

#endif // MOE_DISPATCH_TARGET_H
