// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program is predicted to take.

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

/// An exchange of a task of a program: what one rank sends in one stage of it.
struct TaskExchange {
  /// The task's place in the schedule.
  size_t task = 0;
  CollectiveVolume volume;
  /// What it takes, by level, and what a model of the network knows of it.
  StageCost cost;
  /// How it is outside of what the machine was measured at; empty inside.
  std::string extrapolation;
  /// What links of its task carry of one of its executions; nothing without
  /// such.
  std::vector<cost::PairLoad> circuits;
};

/// The traffic that a program meets.
struct GivenTraffic {
  std::shared_ptr<const traffic::Trace> trace;
  /// Its file.
  std::string name;
  /// The place of one of its steps; all of them together without.
  std::optional<size_t> step;
  /// Every step of it is simulated, too.
  bool overTrace = false;

  traffic::Routing getRouting() const { return {trace, name, step}; }
};

/// One program on one machine.
struct Prediction {
  std::string file;
  int64_t ranks = 0;
  TimedSchedule schedule;
  schedule::Timeline timeline;
  schedule::LowerBound bound;
  /// By task.
  std::vector<TaskExchange> exchanges;
  llvm::SmallVector<BytesFrom> bytesOverTime;
  int64_t peakBytes = 0;
  /// What a run of it does of its model, where the function states it.
  std::optional<ModelWork> work;
  /// The traffic that it meets, and what that changes; none where all routing
  /// is even.
  std::optional<GivenTraffic> given;
  TrafficUse traffic;
  /// What layers send at most, where that is limited.
  std::vector<LayerLimits> limits;
  /// At every step of a trace, where that was asked for.
  std::optional<OverTrace> overTrace;
  /// The step of all stages that it is one of, where that was asked for.
  std::optional<StagePrediction> stages;
  /// How much sooner other orders of its tasks could end, where that was asked
  /// for: by swaps with contention, and what is known without it.
  std::optional<schedule::OrderProof> orders;
  /// What it makes of the network, where a model of that was given.
  std::shared_ptr<NetworkSection> network;
};

/// Whether the levels that an exchange crosses give its time: not if its op has
/// its own cost, or a time is stated for the op or an op around it.
bool isTimedByLevels(const CollectiveVolume &volume);

/// The ranks of the function that `predict` would simulate. Emits an error and
/// fails when there is none.
mlir::FailureOr<int64_t> getProgramRanks(mlir::ModuleOp module,
                                         llvm::StringRef entry);

/// Schedules the function `entry` (or @main, or the only one with a schedule
/// or collectives) where that was not done yet, and simulates it. Emits an
/// error and fails when there is no such function or it cannot be timed, or the
/// traffic is of other layers or experts. Without traffic it is the one that
/// the module is compiled for. With `stages` it is a stage's program, of a step
/// that is predicted, too. A model of the `network` prices exchanges in place
/// of the machine's levels.
mlir::FailureOr<Prediction>
predict(mlir::ModuleOp module, std::string file, llvm::StringRef entry,
        const cost::Machine &machine,
        const std::optional<GivenTraffic> &traffic = std::nullopt,
        const std::optional<StageSettings> &stages = std::nullopt,
        NetworkModel *network = nullptr);

/// Looks for a better order of a program's tasks on their streams, and for what
/// no order beats: see `schedule::searchAllOrders` and, of up to 600 tasks,
/// `schedule::raiseBound`; with `refutedUs`, of any number, to that alone. The
/// best that is kept is simulated with contention.
void searchOrders(Prediction &prediction, size_t width, double refutedUs = 0);

/// The timeline in the Chrome trace event format, which Perfetto opens: one
/// thread a stream, one complete event a task, times in microseconds.
void printPredictionTrace(llvm::raw_ostream &os, const Prediction &prediction,
                          const cost::Machine &machine);

/// Writes Chakra's execution traces of the timeline into a folder, which is
/// made where it is missing: `trace.RANK.et` for each rank, and `groups.json`
/// with the ranks of the groups that nodes name (`pg_name`). A task is a node,
/// and one of several exchanges a node for each; times are whole microseconds,
/// exact in `predicted_us`. Data and tokens are data_deps, the order on a
/// stream ctrl_deps. `comm_size` is what a rank gives to an exchange, in bytes;
/// of a ragged one its operand or its result, whichever is smaller. Fails where
/// groups cannot be listed (an error is emitted) or where files cannot be
/// written (`problem` says why).
llvm::LogicalResult writeChakraTraces(llvm::StringRef folder,
                                      const Prediction &prediction,
                                      const cost::Machine &machine,
                                      std::string &problem);

} // namespace moe

#endif // MOE_COMPILER_PREDICTION_H
