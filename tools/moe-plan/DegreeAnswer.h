// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moe-plan degree says.

#ifndef MOE_TOOLS_MOE_PLAN_DEGREEANSWER_H
#define MOE_TOOLS_MOE_PLAN_DEGREEANSWER_H

#include "Command.h"
#include "moe/Schedule/ChunkSizes.h"
#include "moe/Schedule/MachinePhase.h"
#include "llvm/Support/JSON.h"

namespace moe::plan {

/// Chunks of unequal sizes are made of so many equal parts.
inline constexpr int64_t kParts = 64;

/// What the tokens that experts really get change.
struct CountedLoads {
  schedule::ExpertSkew skew;
  /// The degree that is best for even loads, and its time under the real ones.
  int64_t degreeFromMean;
  double fromMeanUs;
};

/// All that `moe-plan degree` answers, in either form.
struct DegreeAnswer {
  int64_t ep, most;
  cost::Bytes allToAll, gathered;
  schedule::DegreePlan plan;
  /// By degree, as in the plan: whether its time rests on sizes that were not
  /// measured.
  std::vector<bool> extrapolated;
  schedule::DegreeOrderPlan best;
  /// Chunks of unequal sizes, if they are faster than `best`.
  std::optional<schedule::ChunkSizePlan> unequal;
  std::optional<schedule::ClosedFormChoice> closedForm;
  std::optional<CountedLoads> loads;
};

/// "1 chunk" or "4 chunks".
std::string countChunks(int64_t degree);

/// As attributes of a JSON object.
void printDegreeJSON(llvm::json::OStream &out, const DegreeAnswer &answer);
/// As text, but for the settings.
void printDegreeText(llvm::raw_ostream &os, const DegreeAnswer &answer);

} // namespace moe::plan

#endif // MOE_TOOLS_MOE_PLAN_DEGREEANSWER_H
