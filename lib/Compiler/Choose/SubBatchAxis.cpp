// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of sub-batches: their number, and their plans.

#include "PlanSpace.h"
#include "moe/Transforms/Passes.h"

using namespace mlir;
using namespace moe;

static LogicalResult emitObstacle(ModuleOp module, ScheduleChoice schedule,
                                  StringRef user, StringRef reason) {
  InFlightDiagnostic diag = emitError(module.getLoc())
                            << user << ": " << reason;
  if (schedule == ScheduleChoice::Merged)
    diag.attachNote() << "schedule=merged-1f1b runs the forward pass of one "
                         "sub-batch during the backward pass of another; other "
                         "schedules do not require sub-batches";
  return diag;
}

static LogicalResult split(ModuleOp module, int64_t count,
                           ScheduleChoice schedule, StringRef user) {
  std::string reason;
  SmallVector<std::string> changed;
  if (count == 1 ||
      splitBatch(module, count, SlotSharing::Keep, reason, changed))
    return success();
  return emitObstacle(module, schedule, user, reason);
}

namespace {

class SubBatchAxis : public PlanAxis {
public:
  SubBatchAxis() : PlanAxis("moe-choose-parts", "parts") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    std::optional<int64_t> given = state.options.subBatches.count.chunks;
    const bool merges = state.options.schedule == ScheduleChoice::Merged;
    if (!given && !search.getMachine() && merges)
      return emitObstacle(state.module, state.options.schedule, getCategory(),
                          "expected a platform to choose their number, got "
                          "none");
    if (given || !search.getMachine())
      return std::vector{makeValue(given.value_or(1), /*mustFit=*/false)};
    if (std::string reason = findObstacle(state.module); !reason.empty()) {
      if (merges)
        return emitObstacle(state.module, state.options.schedule, getCategory(),
                            reason);
      moe::missed(state.module.getLoc(), getRemarkOptions())
          << remark::reason("{0}", reason);
      return std::vector{makeValue(1, /*mustFit=*/false)};
    }
    std::vector<PlanValue> values;
    for (int64_t count : {1, 2, 3, 4, 8})
      if (count > 1 || !merges)
        values.push_back(makeValue(count, /*mustFit=*/count > 1));
    return values;
  }

  // Tries more than three only if some count is faster than the first possible
  // one, which is usually the whole batch.
  bool goesOn(ArrayRef<PlanTrial> tried) const override {
    auto first = llvm::find_if(
        tried, [](const PlanTrial &trial) { return bool(trial.evaluation); });
    // Without the whole batch, three sub-batches may be possible where two are
    // not.
    if (first == tried.end())
      return tried.size() < 2 && tried.front().value.word != "1";
    return tried.size() < 3 || llvm::any_of(tried, [&](const auto &trial) {
             return trial.evaluation &&
                    trial.leastUnorderedUs < first->leastUnorderedUs;
           });
  }

  double getTolerance(const cost::Machine &) const override {
    return cost::kTie;
  }

private:
  PlanValue makeValue(int64_t count, bool mustFit) const {
    std::string name = count == 1 ? std::string("the whole batch")
                                  : std::to_string(count) + " sub-batches";
    return {std::to_string(count), name,
            [this, count, mustFit](PlanState &state) {
              state.options.subBatches = Degree(count);
              state.mustFit |= mustFit;
              return split(state.module, count, state.options.schedule,
                           getCategory());
            }};
  }

  /// Returns the reason why sub-batches are impossible, or an empty string.
  static std::string findObstacle(ModuleOp module) {
    std::string first;
    // All other counts are multiples of these.
    for (int64_t count : {2, 3}) {
      OwningOpRef<ModuleOp> copy(module.clone());
      std::string reason;
      SmallVector<std::string> changed;
      if (splitBatch(*copy, count, SlotSharing::Keep, reason, changed))
        return "";
      if (first.empty())
        first = reason;
    }
    return first;
  }
};

/// If exchanges overlap with other sub-batches, layers need fewer chunks than
/// alone, because chunks do not save time by themselves.
class SubBatchPlanAxis : public PlanAxis {
public:
  SubBatchPlanAxis() : PlanAxis("moe-choose-parts", "plan") {}

  FailureOr<std::vector<PlanValue>> list(PlanState &state,
                                         PlanSearch &search) const override {
    std::vector<PlanValue> values{
        {"asked", "as asked", [](PlanState &) { return success(); }}};
    const ChoosePlanOptions &options = state.options;
    if (!search.getMachine() ||
        options.subBatches.count.chunks.value_or(1) == 1 ||
        options.strategy != StrategyChoice::Auto || options.degree.chunks ||
        (options.schedule != ScheduleChoice::Best &&
         options.schedule != ScheduleChoice::Layers))
      return values;
    for (int64_t chunks : {1, 2})
      values.push_back({std::to_string(chunks),
                        std::to_string(chunks) + " chunks per layer",
                        [chunks](PlanState &state) {
                          state.options.schedule = ScheduleChoice::Layers;
                          state.options.degree.chunks = chunks;
                          return success();
                        }});
    return values;
  }

  double getTolerance(const cost::Machine &) const override {
    return cost::kTie;
  }
  bool isReported() const override { return false; }
};

} // namespace

const PlanAxis &moe::getSubBatchAxis() {
  static const SubBatchAxis axis;
  return axis;
}

const PlanAxis &moe::getSubBatchPlanAxis() {
  static const SubBatchPlanAxis axis;
  return axis;
}
