// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prediction of a program's times.

#ifndef MOE_COMPILER_PREDICTION_H
#define MOE_COMPILER_PREDICTION_H

#include "mlir/IR/BuiltinOps.h"
#include "moe/Analysis/Timing.h"
#include "moe/Analysis/Volumes.h"
#include "moe/Compiler/NetworkModel.h"
#include "moe/Compiler/StagePrediction.h"
#include "moe/Compiler/TrafficUse.h"
#include "moe/Dialect/MoE/CopyLimits.h"
#include "moe/Dialect/MoE/ModelWork.h"
#include "moe/Schedule/TaskOrder.h"
#include <string>

namespace moe {

/// One exchange of a task: the data that each rank sends in one stage of it.
struct TaskExchange {
  /// The task's index in the schedule.
  size_t task = 0;
  CollectiveVolume volume;
  /// Its time by level, and details from a network model.
  StageCost cost;
  /// Its distance from the measured range of the machine as text; empty inside
  /// the range.
  std::string extrapolation;
  /// Data over the links of its task per execution; empty without such links.
  std::vector<cost::PairLoad> circuits;
};

/// The routing trace of a prediction.
struct GivenTraffic {
  std::shared_ptr<const traffic::Trace> trace;
  /// File name of the trace.
  std::string name;
  /// The index of one of its iterations; nullopt for all of them together.
  std::optional<size_t> step;
  /// If true, every iteration is simulated as well.
  bool overTrace = false;

  traffic::Routing getRouting() const { return {trace, name, step}; }
};

/// The prediction of one program on one machine.
struct Prediction {
  std::string file;
  int64_t ranks = 0;
  TimedSchedule schedule;
  schedule::Timeline timeline;
  schedule::LowerBound bound;
  /// Sorted by task.
  std::vector<TaskExchange> exchanges;
  llvm::SmallVector<BytesFrom> bytesOverTime;
  int64_t peakBytes = 0;
  /// Model work per run, if the function states it.
  std::optional<ModelWork> work;
  /// The routing trace and its effects; nullopt if all routing is even.
  std::optional<GivenTraffic> given;
  TrafficUse traffic;
  /// Limits on the rows that layers send.
  std::vector<LayerLimits> limits;
  /// Times at every iteration of a trace, if requested.
  std::optional<OverTrace> overTrace;
  /// The step of all pipeline stages that the program is part of, if requested.
  std::optional<StagePrediction> stages;
  /// Bounds on better task orders, if requested: the best order found by swaps
  /// with contention, and the bound without contention.
  std::optional<schedule::OrderProof> orders;
  /// Network section of the report, if a network model was given.
  std::shared_ptr<NetworkSection> network;
};

/// Returns true if the levels that an exchange crosses determine its time.
/// False if its op has its own cost, or a time is stated for the op or an op
/// around it.
bool isTimedByLevels(const CollectiveVolume &volume);

/// Returns the number of ranks of the function that `predict` would simulate.
/// Emits an error and fails if there is none.
mlir::FailureOr<int64_t> getProgramRanks(mlir::ModuleOp module,
                                         llvm::StringRef entry);

/// Schedules the function `entry` (or @main, or the only one with a schedule or
/// collectives) if necessary, and simulates it. Emits an error and fails if
/// there is no such function, it cannot be timed, or the trace has other layers
/// or experts. Without `traffic`, uses the trace of the module. With `stages`,
/// the program is one pipeline stage, and the step of all stages is predicted,
/// too. A `network` model replaces the machine's levels for exchanges.
mlir::FailureOr<Prediction>
predict(mlir::ModuleOp module, std::string file, llvm::StringRef entry,
        const cost::Machine &machine,
        const std::optional<GivenTraffic> &traffic = std::nullopt,
        const std::optional<StageSettings> &stages = std::nullopt,
        NetworkModel *network = nullptr);

/// Searches a better order of a program's tasks on their streams, and a lower
/// bound for all orders. See `schedule::searchAllOrders` and, for up to 600
/// tasks, `schedule::raiseBound`. With `refutedUs`, the bound is only raised to
/// that time, for any number of tasks. The best order is simulated with
/// contention.
void searchOrders(Prediction &prediction, size_t width, double refutedUs = 0);

/// Prints the timeline in the Chrome trace event format, which Perfetto reads:
/// one thread per stream, one complete event per task, times in microseconds.
void printPredictionTrace(llvm::raw_ostream &os, const Prediction &prediction,
                          const cost::Machine &machine);

/// Writes Chakra execution traces of the timeline into a folder, which is
/// created if missing: `trace.RANK.et` for each rank, and `groups.json` with
/// the ranks of the groups that nodes reference (`pg_name`). A task is one
/// node, or one node per exchange if it has several. Times are whole
/// microseconds, and exact in `predicted_us`. Data and tokens become data_deps,
/// and the order on a stream ctrl_deps. `comm_size` is the number of bytes that
/// each rank contributes to an exchange; for a ragged one, the smaller of
/// operand and result. Fails if groups cannot be listed (emits an error) or if
/// files cannot be written (sets `problem` to the reason).
llvm::LogicalResult writeChakraTraces(llvm::StringRef folder,
                                      const Prediction &prediction,
                                      const cost::Machine &machine,
                                      std::string &problem);

} // namespace moe

#endif // MOE_COMPILER_PREDICTION_H
