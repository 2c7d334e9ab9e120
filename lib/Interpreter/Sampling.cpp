// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws arguments and routings from hashes.

#include "moe/Interpreter/Sampling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Interpreter/Hashing.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace mlir;
using namespace moe;

uint64_t moe::hashArgument(uint64_t seed, unsigned argument,
                           int64_t representative) {
  return combineHash(combineHash(scramble(seed), argument), representative);
}

double moe::drawFloat(uint64_t argumentHash, uint64_t index, FloatType type) {
  unsigned precision =
      std::min(8u, llvm::APFloat::semanticsPrecision(type.getFloatSemantics()));
  // A type of scales only has powers of two.
  if (!llvm::APFloat::semanticsHasSignedRepr(type.getFloatSemantics()))
    return combineHash(argumentHash, index) & 1 ? 0.5 : 0.25;
  int64_t range = int64_t(1) << precision;
  int64_t draw = static_cast<int64_t>(combineHash(argumentHash, index) % range);
  return static_cast<double>(draw - range / 2) / (range / 2);
}

double moe::drawSpecialFloat(uint64_t argumentHash, uint64_t index,
                             FloatType type) {
  uint64_t draw = scramble(combineHash(argumentHash, index));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  using F = llvm::APFloat;
  // If the type does not have the special value, an ordinary value is drawn.
  bool isSigned = F::semanticsHasSignedRepr(semantics);
  bool hasZero = F::semanticsHasZero(semantics);
  bool hasInf = F::semanticsHasInf(semantics);
  switch (draw % 20) {
  case 0:
    if (hasZero)
      return 0.0;
    break;
  case 1:
    if (hasZero && isSigned && F::getZero(semantics, true).isNegative())
      return -0.0;
    break;
  case 2:
    if (hasInf)
      return std::numeric_limits<double>::infinity();
    break;
  case 3:
    if (hasInf && isSigned)
      return -std::numeric_limits<double>::infinity();
    break;
  case 4:
    if (F::semanticsHasNaN(semantics))
      return std::numeric_limits<double>::quiet_NaN();
    break;
  default:
    break;
  }
  return drawFloat(argumentHash, index, type);
}

int64_t moe::drawInteger(uint64_t argumentHash, uint64_t index, Type type,
                         const DrawnRange &range) {
  uint64_t draw = combineHash(argumentHash, index);
  if (type.isInteger(1))
    return -static_cast<int64_t>(draw & 1);
  if (range.low)
    return *range.low +
           static_cast<int64_t>(draw % (static_cast<uint64_t>(*range.high) -
                                        static_cast<uint64_t>(*range.low) + 1));
  // The lowest bit selects the half. Small numbers are more likely to reveal
  // common mistakes.
  if (draw & 1)
    return static_cast<int64_t>((draw >> 1) % 9) - 4;
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return wrapInteger(static_cast<int64_t>(combineHash(draw, index)), width);
}

void DrawnRange::restrict(int64_t newLow, int64_t newHigh) {
  low = std::max(low.value_or(newLow), newLow);
  high = std::min(high.value_or(newHigh), newHigh);
  if (*low > *high) {
    low = 0;
    high = 1;
  }
}

DrawnRange moe::findIntegerRange(Value argument) {
  DrawnRange range;
  llvm::SmallDenseSet<Value> seen{argument};
  // Values that hold the argument's integers, and whether they were computed
  // from them.
  SmallVector<std::pair<Value, bool>> work{{argument, false}};
  while (!work.empty()) {
    auto [value, computed] = work.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      auto indexed = dyn_cast<IndexOpInterface>(user);
      if (std::optional<IndexRange> named =
              indexed ? indexed.getIndexRange(number) : std::nullopt) {
        // A computed value may be anything, unless all integers are 0.
        range.restrict(computed ? 0 : named->low, computed ? 0 : named->high);
        continue;
      }
      // A seed may be any integer.
      if (auto gate = dyn_cast<GateOp>(user); gate && value == gate.getSeed())
        continue;
      if (isa<scf::ForOp>(user) && number < 2 && !computed) {
        range.restrict(0, 3);
        continue;
      }
      // A value that a task, a schedule or a layer yields is its result.
      if (isa<YieldOp>(user) &&
          isa<TaskOp, ScheduleOp, LayerOp>(user->getParentOp())) {
        Value result = user->getParentOp()->getResult(number);
        if (seen.insert(result).second)
          work.emplace_back(result, computed);
        continue;
      }
      // A branch accepts any integer.
      if (isa<func::ReturnOp, scf::IfOp>(user))
        continue;
      if (auto choice = dyn_cast<scf::IndexSwitchOp>(user)) {
        // Cases are usually counted from 0; the last number of the range
        // matches none.
        if (!computed)
          range.restrict(0, choice.getCases().size());
        continue;
      }
      bool moves = isa<DropOp, TransposeOp, AssembleOp, tensor::CastOp,
                       tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user);
      // All other uses, for example divisors, sizes and calls, restrict the
      // range to 0 and 1.
      bool counts =
          isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpIOp,
              arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
              arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(
              user);
      // A collective that only reads data passes it on or sums it.
      auto collective = dyn_cast<CollectiveOpInterface>(user);
      if (collective && user->getNumOperands() == 1) {
        CollectiveKind kind = collective.getCollectiveKind();
        counts = kind == CollectiveKind::AllReduce ||
                 kind == CollectiveKind::ReduceScatter;
        moves = !counts;
      }
      if (!moves && !counts) {
        range.restrict(0, 1);
        continue;
      }
      for (Value result : user->getResults())
        if (seen.insert(result).second)
          work.emplace_back(result, computed || counts);
    }
  }
  return range;
}

SmallVector<int64_t> moe::chooseExperts(ArrayRef<double> scores,
                                        const GateLimits &limits,
                                        bool groupSum) {
  // A NaN score is worse than every number, which makes the order total.
  auto better = [](double a, double b) {
    return !std::isnan(a) && (std::isnan(b) || a > b);
  };
  auto byScore = [&](ArrayRef<double> values) {
    return [=](int64_t a, int64_t b) {
      return better(values[a], values[b]) ||
             (!better(values[b], values[a]) && a < b);
    };
  };
  SmallVector<int64_t> candidates;
  int64_t groupSize = limits.experts / limits.numGroups;
  if (limits.numGroups == 1) {
    candidates = llvm::to_vector(llvm::seq<int64_t>(0, limits.experts));
  } else {
    SmallVector<double> groupScores;
    for (int64_t group = 0; group < limits.numGroups; ++group) {
      SmallVector<double> own(scores.slice(group * groupSize, groupSize));
      llvm::sort(own, better);
      groupScores.push_back(groupSum && groupSize > 1 ? own[0] + own[1]
                                                      : own[0]);
    }
    SmallVector<int64_t> groups =
        llvm::to_vector(llvm::seq<int64_t>(0, limits.numGroups));
    llvm::sort(groups, byScore(groupScores));
    groups.resize(limits.topGroups);
    llvm::sort(groups);
    for (int64_t group : groups)
      for (int64_t i = 0; i < groupSize; ++i)
        candidates.push_back(group * groupSize + i);
  }
  llvm::sort(candidates, byScore(scores));
  candidates.resize(limits.topK);
  return candidates;
}

RoutingKind moe::getRoutingKind(unsigned sample) {
  constexpr RoutingKind others[] = {RoutingKind::Skewed, RoutingKind::Hot,
                                    RoutingKind::Unused, RoutingKind::Ties};
  return sample % 2 == 0 ? RoutingKind::Uniform : others[sample / 2 % 4];
}

SmallVector<int64_t> moe::sampleExperts(uint64_t contentHash, uint64_t seed,
                                        unsigned sample,
                                        const GateLimits &limits) {
  uint64_t order = combineHash(scramble(seed), sample);
  uint64_t token = combineHash(order, contentHash);
  RoutingKind kind = getRoutingKind(sample);
  double power = kind == RoutingKind::Skewed ? -2
                 : kind == RoutingKind::Hot  ? -8
                                             : 0;
  // Weighted sampling without replacement: the largest values of log(u) / w are
  // chosen.
  SmallVector<std::pair<uint64_t, int64_t>> places;
  for (int64_t expert = 0; expert < limits.experts; ++expert)
    places.emplace_back(combineHash(order, expert), expert);
  llvm::sort(places);
  SmallVector<double> keys(limits.experts);
  for (auto [place, entry] : llvm::enumerate(places)) {
    uint64_t draw = combineHash(token, entry.second);
    double uniform = (static_cast<double>(draw >> 11) + 0.5) * 0x1p-53;
    double weight = std::pow(1.0 + static_cast<double>(place), power);
    double &key = keys[entry.second];
    key = std::log(uniform) / weight;
    if (kind == RoutingKind::Ties)
      key = draw % 4 == 0 ? 1 : 0;
    else if (kind == RoutingKind::Unused &&
             2 * int64_t(place) >= limits.experts)
      key -= 1e6; // less than every other key
  }
  return chooseExperts(keys, limits, /*groupSum=*/false);
}
