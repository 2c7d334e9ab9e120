// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program takes.

#ifndef MOE_COMPILER_SCHEDULEEVALUATOR_H
#define MOE_COMPILER_SCHEDULEEVALUATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "moe/Analysis/Timing.h"
#include "moe/Compiler/ModuleTraffic.h"
#include "moe/Transforms/Passes.h"

namespace mlir {
class OpPassManager;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace moe {

/// A schedule, and when its tasks run on a machine.
struct SimulatedSchedule {
  TimedSchedule schedule;
  schedule::Timeline timeline;

  double getUs() const { return timeline.makespanUs; }
  /// The most bytes that values of its tasks take up at once.
  int64_t getPeakBytes() const { return moe::getPeakBytes(schedule, timeline); }
  /// Tasks whose sizes are outside of what the machine was measured at.
  int64_t countExtrapolated() const {
    return llvm::count(schedule.extrapolated, true);
  }
};

/// What a module takes, or why that cannot be said.
struct Evaluation {
  /// When all scheduled functions have run, one after the other; with traffic,
  /// its mean over the trace's steps, or what else the module is judged by.
  double us = 0;
  /// The most bytes that values of a function take up at once.
  int64_t peakBytes = 0;
  /// Tasks whose sizes are outside of what the machine was measured at.
  int64_t numExtrapolated = 0;
  /// Why it cannot be said; empty when it can.
  std::string problem;

  explicit operator bool() const { return problem.empty(); }
};

/// What no order of a module's tasks on their streams beats.
struct OrderBound {
  struct Graph {
    schedule::TaskGraph graph;
    schedule::Contention contention;
  };

  /// No order ends before; with traffic, as `Evaluation::us` counts it. 0 if
  /// orders change more than when tasks start, for example changes of circuits.
  double leastUs = 0;
  /// One per schedule, for `tighten`; none with traffic.
  std::vector<Graph> graphs;

  /// Raises the bound, which takes about as long as ordering tasks takes at
  /// least.
  void tighten();
};

/// The one place that says what a program takes on a machine: how long, how
/// much memory, or why it cannot be said. `moe-sim` and everything that chooses
/// by compiling ask here.
///
/// Holds what ops and groups take, so that one evaluator is to be kept for all
/// the copies of a module.
class ScheduleEvaluator {
public:
  /// `machine` must outlive the evaluator. `options` says how functions are
  /// scheduled that have no schedule yet; orders of parts are not searched for
  /// among all, which takes longer than many evaluations.
  explicit ScheduleEvaluator(const cost::Machine &machine,
                             ScheduleOptions options = {})
      : timer(machine), options(std::move(options)) {
    this->options.searchWidth = 0;
  }

  const cost::Machine &getMachine() const { return timer.getMachine(); }
  OpTimer &getTimer() { return timer; }

  /// Passes run by `add`, without remarks. What is thrown away need not be
  /// verified. Fails as the passes do, with their errors.
  static llvm::LogicalResult
  runSilently(mlir::ModuleOp module,
              llvm::function_ref<void(mlir::OpPassManager &)> add,
              bool verifies);

  /// Schedules every function of a module that can be and is not yet.
  llvm::LogicalResult schedule(mlir::ModuleOp module,
                               bool verifies = true) const;

  /// Takes `given` for the traffic of all modules, in place of their own.
  void setRouting(const traffic::Routing *given) {
    hasRouting = true;
    timer.setRouting(given);
  }

  /// Times from here on are of the traffic that a module is compiled for, at
  /// all steps together. Emits an error and fails where it cannot be read.
  llvm::LogicalResult takeTraffic(mlir::ModuleOp module);

  /// Simulates a schedule, with the traffic that its module is compiled for at
  /// all steps together. Emits an error and fails where an op has no time or
  /// tasks wait for each other, or the traffic cannot be read.
  mlir::FailureOr<SimulatedSchedule> simulate(ScheduleOp op);

  /// The schedules of a module as it is. Errors are emitted, as by `simulate`;
  /// a module without a schedule has a problem. The memory is 0 where it is not
  /// asked for. Sets `bound` unless it is null.
  mlir::FailureOr<Evaluation> evaluate(mlir::ModuleOp module,
                                       bool withMemory = true,
                                       OrderBound *bound = nullptr);

private:
  OpTimer timer;
  ScheduleOptions options;
  schedule::Simulator simulator;
  bool hasRouting = false;
  /// Of the module simulated last, and what it stands for.
  mlir::Attribute trafficAttr;
  std::optional<ModuleTraffic> moduleTraffic;
  std::optional<traffic::Routing> routing;
};

/// A time in a remark, "12.3 us", or "12.3 us (extrapolated)" where a part of
/// it is of sizes outside of what the machine was measured at.
std::string describeUs(double us, bool isExtrapolated);

/// The schedule of a function; null for none.
ScheduleOp findSchedule(mlir::func::FuncOp function);

} // namespace moe

#endif // MOE_COMPILER_SCHEDULEEVALUATOR_H
