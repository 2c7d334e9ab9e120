//===- Sampling.cpp - Draws from hashes -------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Interpreter/Sampling.h"
#include "moe/Interpreter/Hashing.h"
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
  // A type of scales: powers of two only.
  if (!llvm::APFloat::semanticsHasSignedRepr(type.getFloatSemantics()))
    return combineHash(argumentHash, index) & 1 ? 0.5 : 0.25;
  int64_t range = int64_t(1) << precision;
  int64_t draw = static_cast<int64_t>(combineHash(argumentHash, index) % range);
  return static_cast<double>(draw - range / 2) / (range / 2);
}

int64_t moe::drawInteger(uint64_t argumentHash, uint64_t index, Type type) {
  int64_t draw = combineHash(argumentHash, index) & 1;
  return type.isInteger(1) ? -draw : draw;
}

SmallVector<int64_t> moe::chooseExperts(ArrayRef<double> scores,
                                        const GateLimits &limits,
                                        bool groupSum) {
  // A NaN score loses against every number; with it the order is total.
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

SmallVector<int64_t> moe::sampleExperts(uint64_t contentHash, uint64_t seed,
                                        unsigned sample,
                                        const GateLimits &limits) {
  uint64_t order = combineHash(scramble(seed), sample);
  uint64_t token = combineHash(order, contentHash);
  // Weighted sampling without replacement: the largest log(u) / w win.
  SmallVector<std::pair<uint64_t, int64_t>> places;
  for (int64_t expert = 0; expert < limits.experts; ++expert)
    places.emplace_back(combineHash(order, expert), expert);
  llvm::sort(places);
  SmallVector<double> keys(limits.experts);
  for (auto [place, entry] : llvm::enumerate(places)) {
    uint64_t draw = combineHash(token, entry.second);
    double uniform = (static_cast<double>(draw >> 11) + 0.5) * 0x1p-53;
    double weight = std::pow(1.0 + static_cast<double>(place),
                             -2.0 * static_cast<double>(sample));
    keys[entry.second] = std::log(uniform) / weight;
  }
  return chooseExperts(keys, limits, /*groupSum=*/false);
}
