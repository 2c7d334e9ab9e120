// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a predicted step with a user's measurement.

#ifndef MOE_PLANNING_MEASURED_H
#define MOE_PLANNING_MEASURED_H

#include "moe/Estimate/Step.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>

namespace moe::planning {

/// The accuracy of predictions for one kind of published steps according to
/// docs/concepts/accuracy.md, without the steps that a platform file was made
/// from.
struct StepAccuracy {
  /// "step on Hopper".
  llvm::StringRef kind;
  int64_t steps;
  /// Predicted over published times.
  double median;
  /// exp(median |log ratio|); half of the predictions have at most this error.
  double spread;
};

/// Returns the accuracy on a shipped platform in 16 bits, or in fewer if
/// `isQuantized`. Returns null if no published step covers the platform.
const StepAccuracy *findStepAccuracy(llvm::StringRef platform,
                                     bool isQuantized);

/// A user's measurement, compared with the prediction.
struct MeasuredStep {
  double measuredUs, predictedUs;
  const StepAccuracy *accuracy;
  /// For each part of the step, the factor on its time that explains
  /// `measuredUs` if all other predictions are correct. Excludes parts that
  /// cannot explain the difference alone, and parts below 1 % of the step.
  std::vector<std::pair<std::string, double>> explainedBy;

  /// Fraction of the platform's 16-bit peak that the measurement means; nullopt
  /// if the platform has no peak.
  std::optional<double> utilisation = std::nullopt;
  /// True if a job in 16 bits cannot be as fast as measured.
  bool isAbovePeak = false;

  double getRatio() const { return predictedUs / measuredUs; }
  /// Returns false if there is no accuracy.
  bool isWithinSpread() const;
};

/// Compares a step with its measurement on a platform.
MeasuredStep compareMeasured(double measuredUs,
                             const estimate::StepEstimate &step,
                             const StepAccuracy *accuracy, bool isQuantized);

/// Prints the member "measured" of an open object.
void printMeasured(llvm::json::OStream &out, const MeasuredStep &measured);

} // namespace moe::planning

#endif // MOE_PLANNING_MEASURED_H
