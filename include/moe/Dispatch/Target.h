// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatch that fits the topology.
//
// What each device should send to each, so that the slowest delivery of an
// all-to-all ends as early as possible (TA-MoE, section 4; SPEC TA-1 to TA-5).
// A dispatch is a matrix of tokens, one row a source and one column a target
// device; each device sends and receives top-k times its tokens in all.

#ifndef MOE_DISPATCH_TARGET_H
#define MOE_DISPATCH_TARGET_H

#include "moe/Dispatch/Links.h"

#include <optional>

namespace moe::dispatch {

/// What a device keeps for its own experts (SPEC TA-3).
enum class LocalShare : uint8_t {
  /// The even share; the rest is spread over the others.
  Pinned,
  /// By its local bandwidth, like any other link.
  Bandwidth
};

/// What every device dispatches.
struct Demand {
  /// Tokens of a device, S; at least 1.
  int64_t tokens = 1;
  /// Experts of a token, k; at least 1.
  int64_t topK = 1;
  /// Bytes of a token; greater than 0.
  double bytesPerToken = 1;

  /// Rows that a device sends, and receives: k * S.
  int64_t getRows() const { return tokens * topK; }
};

/// A square matrix, row-major: tokens from each device to each.
template <typename T> struct Matrix {
  int64_t size = 0;
  std::vector<T> values;

  explicit Matrix(int64_t size = 0, T value = T())
      : size(size), values(static_cast<size_t>(size * size), value) {}
  T &at(int64_t i, int64_t j) {
    return values[static_cast<size_t>(i * size + j)];
  }
  const T &at(int64_t i, int64_t j) const {
    return values[static_cast<size_t>(i * size + j)];
  }
};

/// Time of a dispatch: that of its slowest delivery (SPEC TA-1). What is empty
/// takes no time. In microseconds.
template <typename T>
double getDispatchUs(const Matrix<T> &dispatch, const Links &links,
                     double bytesPerToken);

/// The same share for every device (SPEC TA-7, "even").
Matrix<double> getEven(const Demand &demand, int64_t numDevices);

/// The closed form of SPEC TA-3 on links that are smooth: volume in proportion
/// to bandwidth. Row sums are the demand's; column sums are on symmetric trees.
Matrix<double> getProportional(const Demand &demand, const Links &smoothLinks,
                               LocalShare local);

/// Scales rows and columns in turn until all sums are `sum` (Sinkhorn, SPEC
/// TA-4); with `LocalShare::Pinned` the diagonal stays as it is. Returns the
/// residual: the greatest difference of a sum from `sum`, over `sum`.
double balance(Matrix<double> &dispatch, double sum, LocalShare local);

/// Whole tokens with the same row and column sums, each number less than one
/// from the given; the sums of rows and columns are integers, up to rounding.
Matrix<int64_t> roundKeepingSums(const Matrix<double> &dispatch);

/// A dispatch and its time.
template <typename T> struct TimedDispatch {
  double us = 0;
  Matrix<T> dispatch;
};

/// A dispatch that no other is faster than, in real numbers. Sums of rows and
/// columns are the demand's, up to rounding to a part in 1e12.
using Optimum = TimedDispatch<double>;

/// The least time of any dispatch of the demand and a dispatch that takes it,
/// by bisection over the time with a flow through what links carry until then,
/// to a part in 1e9 (SPEC TA-5). Every device receives from others at least
/// `leastShare` of what it would if all were even. Nullopt for more than
/// `kMostExactDevices` devices.
std::optional<Optimum> getOptimum(const Demand &demand, const Links &links,
                                  LocalShare local, double leastShare = 0);
constexpr int64_t kMostExactDevices = 256;

/// Whole tokens that no others are faster than, to a part in 1e9: the same
/// bisection, of at most 200 flows, each of which starts from what
/// `roundKeepingSums` makes of `target`. Where that is as fast as any, it is
/// the answer. Sums of rows and columns are the demand's. A pinned own share,
/// or the most that `leastShare` lets a device keep, may be off by less than a
/// token, as rounding would have it.
Matrix<int64_t> getOptimalTokens(const Demand &demand, const Links &links,
                                 LocalShare local, double leastShare,
                                 const Matrix<double> &target);

/// Rows are devices, columns experts, `expertsPerDevice` for each device in
/// order: a device's tokens are spread over its experts so that sums of columns
/// of one device differ by 1 at most, and numbers of one row by 1.
std::vector<std::vector<int64_t>>
spreadOverExperts(const Matrix<int64_t> &tokens, int64_t expertsPerDevice);

/// A planned dispatch.
struct DispatchPlan {
  /// The target, in real numbers and in whole tokens. An exact target's whole
  /// tokens may differ from it by more than one, where that is faster.
  Matrix<double> target;
  Matrix<int64_t> tokens;
  /// Times of both and of even dispatch in real numbers and in whole tokens.
  double targetUs = 0, tokensUs = 0, evenUs = 0, evenTokensUs = 0;
  /// Whether the even dispatch is at least as good, and so is the target. Over
  /// an exact target it is where it is as fast both in real numbers and in
  /// whole tokens.
  bool isEven = false;
  /// How far row and column sums were off before they were balanced, and are
  /// after it, as fractions.
  double imbalance = 0, residual = 0;
  /// How much of the even dispatch was mixed in for the isolation guard, in
  /// [0, 1]. An exact target keeps the guard without.
  double evenShare = 0;
  /// The least that a device receives from all others together, as a share of
  /// all it receives: experts that get little from others are isolated.
  double leastFromOthers = 0;
  /// What was done to the topology, in words.
  std::vector<std::string> notes;
};

/// Where a target comes from.
enum class Planner : uint8_t {
  /// The closed form of SPEC TA-3, which leaves latencies out.
  Proportional,
  /// The optimum of SPEC TA-5, on the links as they are, in real numbers and
  /// in whole tokens. Of several dispatches that are as fast it is any.
  Exact
};

struct TargetOptions {
  LocalShare local = LocalShare::Pinned;
  /// Isolation guard: what every device receives from others at least, as a
  /// share of what it would if all were even; in [0, 1].
  double leastShare = 0;
  Planner planner = Planner::Proportional;
};

/// The better of the target and the even dispatch, by their times on the links
/// as they are; the closed form's target is made on links that are smooth over
/// the nearest symmetric tree. Fails, naming what was expected, for a demand or
/// links out of range, of another number of devices than the topology has, or
/// of more than `kMostExactDevices` for an exact target.
cost::Result<DispatchPlan> planDispatch(const Topology &topology,
                                        const Links &links,
                                        const Demand &demand,
                                        const TargetOptions &options = {});

} // namespace moe::dispatch

#endif // MOE_DISPATCH_TARGET_H
