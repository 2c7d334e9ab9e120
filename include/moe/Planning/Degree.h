// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of chunks of an MoE layer and their launch order (SPEC FS-1 to
// FS-6).

#ifndef MOE_PLANNING_DEGREE_H
#define MOE_PLANNING_DEGREE_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"
#include "moe/Planning/PlatformParameters.h"
#include "moe/Schedule/ChunkSizes.h"
#include "moe/Schedule/MachinePhase.h"
#include "moe/Support/Report.h"

namespace moe::planning {

struct DegreeInput : Input {
  /// Larger degrees give chunks that are too small to be useful.
  static constexpr int64_t kMostDegree = 64;

  MachineOptions platform{table};
  ConfigJob job{table};
  IntegerOption hidden{table,
                       "hidden-size",
                       "Hidden size (required unless --config is given)",
                       {.unit = "elements"}};
  IntegerOption ffnHidden{
      table,
      "expert-ffn-size",
      "Hidden size of an expert's FFN (required unless --config is given)",
      {.unit = "elements"}};
  IntegerOption topK{table,
                     "top-k",
                     "Experts per token (required unless --config is given)",
                     {.unit = "experts"}};
  NumberOption capacityFactor{
      table,
      "capacity-factor",
      "Capacity of an expert over its even share of tokens, or none (required; "
      "with --config, default: 1)",
      {.word = "none"}};
  IntegerOption gemms{table,
                      "gemms",
                      "Matrices per expert: 2 for a GPT FFN, 3 for a gated FFN "
                      "(required unless --config is given)",
                      {2, 3, "matrices"}};
  TextOption phase{table, "phase", "Direction: fwd or bwd (required)",
                   "fwd|bwd"};
  NumberOption gradientUs{
      table,
      "gradient-us",
      "Time in microseconds of a gradient all-reduce that shares links with "
      "the all-to-alls of the backward pass (default: 0)",
      {.mayBeZero = true, .unit = "us"}};
  IntegerOption maxDegree{table,
                          "max-chunks",
                          "Largest number of chunks to try (default: 16)",
                          {1, kMostDegree, "chunks"}};
  TextOption expertCounts{
      table, "expert-counts",
      "JSON file of measured tokens per expert; plan for the busiest rank",
      "FILE"};

  /// Returns the element type. The default is f32 because papers use it.
  llvm::StringRef getType() const {
    const TextOption &dtype = job.job.dtype;
    return job.isSet() || dtype.isSet() ? llvm::StringRef(dtype.get()) : "f32";
  }
};

/// A planning problem with its platform.
struct DegreeQuestion {
  schedule::LayerShape shape;
  schedule::TrainingPhase which = schedule::TrainingPhase::Forward;
  cost::BytesPerElement element;
  /// The time of the gradient all-reduce in microseconds.
  double gradientUs = 0;
  int64_t maxDegree = 0;
  /// If not set, as many as the platform's ranks allow.
  std::optional<int64_t> ep;
  std::optional<PlannedJob> job;
  platform::Platform platform;
};

/// Number of equal parts that unequal chunks are made of.
inline constexpr int64_t kParts = 64;

/// The effect of measured token counts per expert.
struct CountedLoads {
  schedule::ExpertSkew skew;
  /// The best degree for even loads, and its time under the measured loads.
  int64_t degreeFromMean;
  double fromMeanUs;
};

struct DegreeAnswer {
  static constexpr unsigned kJsonIndent = 2;

  DegreeAnswer() = default;
  DegreeAnswer(DegreeAnswer &&) = default;
  DegreeAnswer &operator=(DegreeAnswer &&) = default;

  DegreeQuestion question;
  int64_t ep = 0, most = 0;
  cost::Bytes allToAll, gathered;
  /// The times that `plan.byDegree` refers to.
  std::vector<schedule::DegreeTime> degrees;
  schedule::DegreePlan plan;
  /// By degree, as in the plan: true if its time depends on sizes that were not
  /// measured.
  std::vector<bool> extrapolated;
  schedule::DegreeOrderPlan best;
  /// Chunks of unequal sizes, if they are faster than `best`.
  std::optional<schedule::ChunkSizePlan> unequal;
  std::optional<schedule::ClosedFormChoice> closedForm;
  std::optional<CountedLoads> loads;
  /// Parameters that were fitted to published results.
  std::vector<std::string> fitted;
  PlatformParameters parameters;
};

Result<DegreeAnswer> planDegree(DegreeInput &in);

/// Makes a table with one row per degree.
support::Report makeDegreeReport(const DegreeAnswer &answer);

std::string getTitle(const DegreeAnswer &answer);
void printJSON(llvm::json::OStream &out, const DegreeAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_DEGREE_H
