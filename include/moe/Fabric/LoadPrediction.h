// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts the loads of a layer's experts from the loads of the layer before.

//
// mFabric's Copilot (SPEC MF-11): a matrix whose columns say where the tokens
// of an expert go in the next layer turns the load of one layer, which the gate
// has told, into that of the next.
//
//===----------------------------------------------------------------------===//

#ifndef MOE_FABRIC_LOADPREDICTION_H
#define MOE_FABRIC_LOADPREDICTION_H

#include "moe/Fabric/Circuits.h"

namespace moe::fabric {

/// Shares of tokens by expert, whose sum is 1.
using Load = std::vector<double>;

/// Tokens by expert as shares. Fails without experts, for a number below 0, and
/// when there are no tokens.
cost::Result<Load> normalizeLoad(std::vector<double> tokens);

/// Of a token of expert j before, the chance that it is of expert i, at [i, j]:
/// in [0, 1], columns add up to 1.
using Transition = ServerMatrix<double>;

/// Loads of two layers at one step.
struct LoadSample {
  Load before, after;
  /// Above 0.
  double weight = 1;
};

struct FitOptions {
  /// The fit ends when no matrix is better by more than this, beside the sum of
  /// squares of all `after`, or after so many rounds.
  double gap = 1e-12;
  int64_t rounds = 20000;
};

struct TransitionFit {
  Transition matrix;
  /// The weighted sum of squares that is left, and the most that the best
  /// matrix could take off it.
  double error = 0, gap = 0;
  int64_t rounds = 0;
  /// How many directions of loads the samples tell apart: with fewer than
  /// experts, matrices that are far apart fit them as well.
  int64_t rank = 0;
};

/// The matrix that turns samples' loads into each other best, in least squares:
/// accelerated gradient steps, each projected onto columns that add up to 1,
/// from a matrix that takes every expert to the mean of all `after`. Fails
/// without samples, and for loads of different sizes or sums.
cost::Result<TransitionFit>
fitTransition(const std::vector<LoadSample> &samples,
              const FitOptions &options = {});

/// Where tokens went is known: of those of expert j before, at [j, i] how many
/// were of expert i after. An expert that had none spreads evenly.
Transition countTransition(const ServerMatrix<double> &joint);

/// The load behind one.
Load predictLoad(const Transition &matrix, const Load &before);

/// Sum of differences, from 0 to 2.
double getLoadDistance(const Load &a, const Load &b);

/// Of the `k` experts of most load, the share that `predicted` has among its
/// own `k`; of equal ones the first.
double getTopShare(const Load &predicted, const Load &actual, int64_t k);

} // namespace moe::fabric

#endif // MOE_FABRIC_LOADPREDICTION_H
