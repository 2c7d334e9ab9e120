// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expert loads, predicted from the loads of the previous layer (SPEC MF-11).

#ifndef MOE_CIRCUITS_PLANNING_PREDICT_H
#define MOE_CIRCUITS_PLANNING_PREDICT_H

#include "moe/Fabric/LoadPrediction.h"
#include "moe/Planning/Planner.h"
#include "moe/Support/Report.h"
#include <array>

namespace moe::planning {

struct PredictInput : Input {
  TextOption trafficFile{
      table, "traffic",
      "Routing trace with at least two layers and two iterations", "TRACE"};
  TextOption jointFile{
      table, "joint",
      "Joint counts of two layers instead of --traffic; each sample "
      "is predicted from all other samples",
      "FILE"};
  IntegerOption window{
      table,
      "window",
      "Iterations before the predicted iteration to fit (default: all)",
      {.unit = "iterations"}};
  NumberOption decay{
      table, "decay",
      "Weight of an iteration relative to the next iteration (default: 1)"};
  IntegerOption topK{table,
                     "top",
                     "Number of busiest experts to identify (default: 2)",
                     {.unit = "experts"}};
  IntegerOption rounds{table,
                       "rounds",
                       "Largest number of rounds per fit (default: 5000)",
                       {.unit = "rounds"}};
};

/// Methods of prediction, in the order of answers.
enum PredictionMethod {
  Copilot,
  Joint,
  Uniform,
  Previous,
  LastSample,
  Average
};
inline constexpr size_t kNumPredictionMethods = Average + 1;

/// The accuracy of a method's predictions compared with the following loads.
struct PredictionScore {
  double distance = 0, found = 0;
  int64_t count = 0;
};

struct PredictAnswer {
  static constexpr unsigned kJsonIndent = 2;

  std::array<PredictionScore, kNumPredictionMethods> scores;
  /// The number of fits, their smallest rank, and the number of experts.
  int64_t numFits = 0, leastRank = 0, experts = 0;
  /// The largest possible improvement by the best fit, relative to the sum of
  /// squares.
  double worstGap = 0;
  /// Number of busiest experts to identify.
  int64_t top = 2;
  PredictionMethod best = Uniform;
  std::vector<std::string> notes;

  void add(PredictionMethod method, const fabric::Load &guess,
           const fabric::Load &actual, int64_t k);
};

Result<PredictAnswer> planPredict(PredictInput &in);

/// Returns a report with one row per method that has predictions.
support::Report makePredictionReport(const PredictAnswer &answer);

std::string getTitle(const PredictAnswer &answer);
void printJSON(llvm::json::OStream &out, const PredictAnswer &answer);

} // namespace moe::planning

#endif // MOE_CIRCUITS_PLANNING_PREDICT_H
