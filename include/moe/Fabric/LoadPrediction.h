// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of expert loads from the previous layer.
//
// mFabric's Copilot (SPEC MF-11): a matrix, with columns that describe where
// the tokens of each expert are sent in the next layer, transforms the load of
// one layer, as known from its gate, to the load of the next layer.

#ifndef MOE_FABRIC_LOADPREDICTION_H
#define MOE_FABRIC_LOADPREDICTION_H

#include "moe/Fabric/Circuits.h"

namespace moe::fabric {

/// Shares of tokens by expert, with sum 1.
using Load = std::vector<double>;

/// Converts tokens by expert to shares. Fails without experts, without tokens,
/// and for numbers below 0.
cost::Result<Load> normalizeLoad(std::vector<double> tokens);

/// The probability, at [i, j], that tokens of expert j in one layer are sent to
/// expert i in the next; in [0, 1], and columns add up to 1.
using Transition = cost::Matrix<double>;

/// The loads of two layers at the same step.
struct LoadSample {
  Load before, after;
  /// Above 0.
  double weight = 1;
};

struct FitOptions {
  /// The fit ends if no matrix can improve the error by more than this fraction
  /// of the sum of squares of all `after`, or after this number of rounds.
  double gap = 1e-12;
  int64_t rounds = 20000;
};

struct TransitionFit {
  Transition matrix;
  /// The remaining weighted sum of squares, and the maximum improvement by the
  /// best matrix.
  double error = 0, gap = 0;
  int64_t rounds = 0;
  /// Number of linearly independent directions of loads in the samples. If it
  /// is less than the number of experts, very different matrices fit equally
  /// well.
  int64_t rank = 0;
};

/// Fits the matrix that best transforms the samples' loads in the least-squares
/// sense. The fit uses accelerated gradient steps, each projected onto columns
/// that add up to 1, and starts from a matrix that maps every expert to the
/// mean of all `after`. Fails without samples, and for loads of different sizes
/// or sums.
cost::Result<TransitionFit>
fitTransition(const std::vector<LoadSample> &samples,
              const FitOptions &options = {});

/// Computes the matrix from known routes: `joint` at [j, i] has the number of
/// tokens of expert j that expert i received afterwards. An expert without
/// tokens spreads evenly.
Transition countTransition(const cost::Matrix<double> &joint);

/// Predicts the load after `before`.
Load predictLoad(const Transition &matrix, const Load &before);

/// Returns the sum of absolute differences, from 0 to 2.
double getLoadDistance(const Load &a, const Load &b);

/// Returns the fraction of the `k` experts with the highest load that
/// `predicted` has among its own top `k`; ties are broken by index.
double getTopShare(const Load &predicted, const Load &actual, int64_t k);

} // namespace moe::fabric

#endif // MOE_FABRIC_LOADPREDICTION_H
