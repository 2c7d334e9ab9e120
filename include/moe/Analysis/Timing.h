// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the tasks of a schedule run.

#ifndef MOE_ANALYSIS_TIMING_H
#define MOE_ANALYSIS_TIMING_H

#include "moe/Cost/ExchangePricer.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"
#include "moe/Schedule/Bounds.h"
#include "moe/Schedule/Simulation.h"

namespace moe {

/// What a stage of an exchange takes, with its reasons.
using StageCost = cost::PricedExchange;

/// What ops take on a machine: what they say by `CostOpInterface`, or what
/// their traffic takes (`ExchangeOpInterface`, SPEC CC-1) for all groups of the
/// mesh at once. A ragged all-to-all counts its bound, the whole of its operand
/// or of its result, whichever is larger. A collective along a dim that is not
/// the outermost one also takes the copies that make it contiguous
/// (`CollectiveCopies`). Of other ops, constants take nothing, an elementwise
/// op is a copy, and the rest what they state (`moe.time_us`).
class OpTimer {
public:
  /// `machine` must outlive the timer.
  explicit OpTimer(const cost::Machine &machine);

  /// The time of one execution on one rank. Emits an error and fails when a
  /// shape is dynamic, the machine has too few ranks or states nothing about
  /// what the op uses (no copy bandwidth, no GEMM cost), or nothing is known
  /// about the op.
  mlir::FailureOr<cost::Microseconds> getTime(mlir::Operation *op);

  /// What each stage of an exchange takes, with its reasons: the levels that it
  /// crosses, and the slowest of them. Fails as above.
  mlir::FailureOr<llvm::SmallVector<StageCost>> explain(ExchangeOpInterface op);

  /// What the links of its task (`LinkOpInterface`) carry in each stage of an
  /// exchange; nothing of one that goes over none. Fails as above.
  mlir::FailureOr<llvm::SmallVector<std::vector<cost::PairLoad>>>
  explainLinks(ExchangeOpInterface op);

  const cost::Machine &getMachine() const { return costs.getMachine(); }

  /// Times from here on are those of what gates send by `routing`, which must
  /// outlive them; of even routing without.
  void setRouting(const traffic::Routing *routing) {
    context.setRouting(routing);
  }
  const traffic::Routing *getRouting() const { return context.getRouting(); }

  /// Exchanges from here on go over these links, too, which must outlive it;
  /// over the machine's levels alone without (SPEC MF-4).
  void setLinks(const cost::Links *own) { links = own; }

  /// Exchanges from here on are priced by `given`, which must outlive it; by
  /// the machine's levels without.
  void setPricer(cost::ExchangePricer *given) { pricer = given; }

  /// How many times given so far rest on a collective or a copy of a size
  /// outside of what the machine was measured at.
  int64_t getNumExtrapolated() const { return context.getNumExtrapolated(); }

  /// How many times given so far depend on where gates send tokens.
  int64_t getNumRouted() const { return context.getNumRouted(); }

  /// What an exchange sends, by the routing of now. Fails as above.
  mlir::FailureOr<OpTraffic> getTraffic(ExchangeOpInterface op);

private:
  mlir::FailureOr<cost::Microseconds> getExchangeTime(ExchangeOpInterface op);
  mlir::FailureOr<cost::Microseconds> getStageTime(mlir::Operation *op,
                                                   const TrafficStage &stage);
  mlir::FailureOr<StageCost> explainStage(mlir::Operation *op,
                                          const TrafficStage &stage);
  /// The time of blocks that differ; found once.
  mlir::FailureOr<cost::Microseconds>
  getBlocksTime(mlir::Operation *op, const TrafficStage &stage,
                const cost::UnequalExchange &blocks);
  /// The plan of a collective over a group, made once.
  mlir::FailureOr<const cost::CollectivePlan *>
  getPlan(mlir::Operation *op, GroupAttrInterface group,
          cost::CollectiveKind kind);
  mlir::InFlightDiagnostic emitNoTime(mlir::Operation *op,
                                      const std::string &why);
  /// Of a branch its longest way, of a loop all iterations.
  mlir::FailureOr<cost::Microseconds> getControlTime(mlir::Operation *op);

  cost::CostModel costs;
  CostContext context;
  const cost::Links *links = nullptr;
  cost::ExchangePricer *pricer = nullptr;
  /// Plans by group and kind, so that the ranks of a group are listed once.
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>,
                 const cost::CollectivePlan *>
      plans;
  /// What blocks that differ take on a group, which forms of a layer have again
  /// and again: the latest of them.
  struct TimedBlocks {
    mlir::Attribute group;
    std::vector<cost::Message> messages;
    cost::Microseconds time;
    bool isExtrapolated = false;
  };
  std::vector<TimedBlocks> timedBlocks;
  size_t nextTimedBlocks = 0;
};

/// A schedule as the simulator sees it: tasks in program order.
struct TimedSchedule {
  schedule::TaskGraph graph;
  llvm::SmallVector<TaskOp> tasks;
  /// Per task, whether its time rests on sizes outside of what the machine was
  /// measured at.
  llvm::SmallVector<bool> extrapolated;
  /// Per task, whether its time depends on where gates send tokens.
  llvm::SmallVector<bool> routed;
  /// Per stream of the graph, its op.
  llvm::SmallVector<StreamOp> streams;
  /// How tasks slow each other down on the machine, and which wait for others:
  /// those on a resource that a stream of a lower priority uses (SPEC MO-12).
  schedule::Contention contention;
};

/// What a task takes when nothing slows it down, over its own links if it has
/// some, in us. Emits an error and fails where an op has no time.
mlir::FailureOr<double> getTaskUs(TaskOp task, OpTimer &timer);

/// The tasks of a schedule with their times, streams and dependencies; a task
/// of several chunks also takes the platform's stall of pipelined operations
/// (SPEC MO-8), and products what `moe.overlap` states. Where links change
/// (`LinkOpInterface`) the host waits: for what the change comes behind, and at
/// `LinkAction::Await` for its end. Tasks behind in the schedule are launched
/// later, and start so. Emits an error and fails where an op has no time.
mlir::FailureOr<TimedSchedule> timeSchedule(ScheduleOp op, OpTimer &timer);

/// Times again the tasks that depend on where gates send tokens, by the timer's
/// routing of now. Fails as above.
llvm::LogicalResult timeRoutedTasks(TimedSchedule &timed, OpTimer &timer);

/// The bytes that values made by tasks take up from an instant on.
struct BytesFrom {
  double us;
  int64_t bytes;
};

/// The bytes that values made by tasks take up over time, one entry an instant
/// at which they change: each value from the start of its task to the end of
/// the last task that reads it, or to the end of the schedule when it is handed
/// out.
llvm::SmallVector<BytesFrom>
getBytesOverTime(const TimedSchedule &schedule,
                 const schedule::Timeline &timeline);

/// The most of these.
int64_t getPeakBytes(const TimedSchedule &schedule,
                     const schedule::Timeline &timeline);

} // namespace moe

#endif // MOE_ANALYSIS_TIMING_H
