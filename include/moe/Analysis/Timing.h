// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the tasks in a schedule.

#ifndef MOE_ANALYSIS_TIMING_H
#define MOE_ANALYSIS_TIMING_H

#include "moe/Cost/ExchangePricer.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Schedule/Bounds.h"
#include "moe/Schedule/Simulation.h"

namespace moe {

/// The cost of one stage of an exchange, with an explanation.
using StageCost = cost::PricedExchange;

/// Times of ops on a machine. The time is from the op's `CostOpInterface`, or
/// from its traffic (`ExchangeOpInterface`, SPEC CC-1) for all groups of the
/// mesh at once. A ragged all-to-all counts its bound, the whole of its operand
/// or of its result, whichever is larger. A collective along a dim that is not
/// the outermost one also takes the copies that make it contiguous
/// (`CollectiveCopies`). Otherwise, constants take no time, an elementwise op
/// is a copy, and other ops take their `moe.time_us`.
class OpTimer {
public:
  /// `machine` must outlive the timer.
  explicit OpTimer(const cost::Machine &machine);

  /// Returns the time of one execution on one rank. Emits an error and fails if
  /// a shape is dynamic, if the machine has too few ranks or lacks a rate that
  /// the op needs (copy bandwidth, GEMM cost), or if the op's cost is unknown.
  mlir::FailureOr<cost::Microseconds> getTime(mlir::Operation *op);

  /// Returns the cost of each stage of an exchange with an explanation: the
  /// levels it crosses and the slowest of them. Fails like `getTime`.
  mlir::FailureOr<llvm::SmallVector<StageCost>> explain(ExchangeOpInterface op);

  /// Returns the loads of the links of the op's task (`LinkOpInterface`) in
  /// each stage of an exchange; empty if it uses none. Fails like `getTime`.
  mlir::FailureOr<llvm::SmallVector<std::vector<cost::PairLoad>>>
  explainLinks(ExchangeOpInterface op);

  const cost::Machine &getMachine() const { return costs.getMachine(); }

  /// From now on, times are for the gates' traffic in `routing`, which must
  /// outlive them; with null, for even routing.
  void setRouting(const traffic::Routing *routing) {
    context.setRouting(routing);
  }
  const traffic::Routing *getRouting() const { return context.getRouting(); }

  /// From now on, exchanges also use these links, which must outlive the timer;
  /// with null, only the machine's levels (SPEC MF-4).
  void setLinks(const cost::Links *own) { links = own; }

  /// From now on, `given`, which must outlive the timer, prices exchanges; with
  /// null, the machine's levels do.
  void setPricer(cost::ExchangePricer *given) { pricer = given; }

  /// Returns how many of the times returned so far depend on a collective or a
  /// copy of a size outside the measured range of the machine.
  int64_t getNumExtrapolated() const { return context.getNumExtrapolated(); }

  /// Returns how many of the times returned so far depend on the gates'
  /// routing.
  int64_t getNumRouted() const { return context.getNumRouted(); }

  /// Returns the traffic of an exchange with the current routing. Fails like
  /// `getTime`.
  mlir::FailureOr<OpTraffic> getTraffic(ExchangeOpInterface op);

private:
  mlir::FailureOr<cost::Microseconds> getExchangeTime(ExchangeOpInterface op);
  mlir::FailureOr<cost::Microseconds> getStageTime(mlir::Operation *op,
                                                   const TrafficStage &stage);
  mlir::FailureOr<StageCost> explainStage(mlir::Operation *op,
                                          const TrafficStage &stage);
  /// Returns the time of blocks of different sizes, cached.
  mlir::FailureOr<cost::Microseconds>
  getListTime(mlir::Operation *op, const TrafficStage &stage,
              const cost::MessageList &list);
  /// Returns the plan of a collective over a group, cached.
  mlir::FailureOr<const cost::CollectivePlan *>
  getPlan(mlir::Operation *op, GroupAttrInterface group,
          cost::CollectiveKind kind);
  mlir::InFlightDiagnostic emitNoTime(mlir::Operation *op,
                                      const std::string &why);
  /// Returns the longest path of a branch, or all iterations of a loop.
  mlir::FailureOr<cost::Microseconds> getControlTime(mlir::Operation *op);

  cost::CostModel costs;
  CostContext context;
  const cost::Links *links = nullptr;
  cost::ExchangePricer *pricer = nullptr;
  /// Plans by group and kind, which saves listing the ranks of a group again.
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>,
                 const cost::CollectivePlan *>
      plans;
  /// Times of blocks of different sizes on a group. Only the latest are kept;
  /// the variants of the same layer use them repeatedly.
  struct TimedList {
    mlir::Attribute group;
    cost::MessageList list;
    cost::Microseconds time;
    bool isExtrapolated = false;
  };
  std::vector<TimedList> timedLists;
  size_t nextTimedList = 0;
};

/// A schedule in the simulator's terms, with tasks in program order.
struct TimedSchedule {
  schedule::TaskGraph graph;
  llvm::SmallVector<TaskOp> tasks;
  /// Per task, whether its time depends on sizes outside the measured range of
  /// the machine.
  llvm::SmallVector<bool> extrapolated;
  /// Per task, whether its time depends on the gates' routing.
  llvm::SmallVector<bool> routed;
  /// The op of each stream of the graph.
  llvm::SmallVector<StreamOp> streams;
  /// How tasks slow each other down on the machine, and which tasks wait for
  /// others: the tasks on a resource that is also used by a stream with a lower
  /// priority number (SPEC MO-12).
  schedule::Contention contention;
};

/// Returns the time of a task in us without contention, over its own links if
/// it has some. Emits an error and fails if an op has no time.
mlir::FailureOr<double> getTaskUs(TaskOp task, OpTimer &timer);

/// Returns the tasks of a schedule with their times, streams and dependencies.
/// A task with several chunks also takes the platform's stall of pipelined
/// operations (SPEC MO-8), and products take the slowdown in `moe.overlap`.
/// When links change (`LinkOpInterface`), the host waits for the dependencies
/// of the change, and at `LinkAction::Await` for its end. Later tasks of the
/// schedule start accordingly later. Emits an error and fails if an op has no
/// time.
mlir::FailureOr<TimedSchedule> timeSchedule(ScheduleOp op, OpTimer &timer);

/// Recomputes the times of the tasks that depend on the gates' routing, with
/// the timer's current routing. Fails like `timeSchedule`.
llvm::LogicalResult timeRoutedTasks(TimedSchedule &timed, OpTimer &timer);

/// The live bytes of task results from an instant on.
struct BytesFrom {
  double us;
  int64_t bytes;
};

/// Returns the live bytes of task results over time, one entry per instant of
/// change. Each value is live from the start of its task to the end of the last
/// task that reads it, or to the end of the schedule if it is a result of the
/// schedule.
llvm::SmallVector<BytesFrom>
getBytesOverTime(const TimedSchedule &schedule,
                 const schedule::Timeline &timeline);

/// Returns the maximum of `getBytesOverTime`.
int64_t getPeakBytes(const TimedSchedule &schedule,
                     const schedule::Timeline &timeline);

} // namespace moe

#endif // MOE_ANALYSIS_TIMING_H
