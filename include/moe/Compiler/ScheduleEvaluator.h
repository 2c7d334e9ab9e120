// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times and memory of a program.

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

/// A schedule, and the times of its tasks on a machine.
struct SimulatedSchedule {
  TimedSchedule schedule;
  schedule::Timeline timeline;

  double getUs() const { return timeline.makespanUs; }
  /// Returns the peak bytes of live values of its tasks.
  int64_t getPeakBytes() const { return moe::getPeakBytes(schedule, timeline); }
  /// Returns the number of tasks with sizes outside the measured range of the
  /// machine.
  int64_t countExtrapolated() const {
    return llvm::count(schedule.extrapolated, true);
  }
};

/// Time and memory of a module, or the reason why they are unknown.
struct Evaluation {
  /// The sum of the times of all scheduled functions; for a routing trace, the
  /// mean over its iterations, or the module's other measure.
  double us = 0;
  /// Peak bytes of live values of a function.
  int64_t peakBytes = 0;
  /// Number of tasks with sizes outside the measured range of the machine.
  int64_t numExtrapolated = 0;
  /// The reason why the evaluation failed, or an empty string.
  std::string problem;

  explicit operator bool() const { return problem.empty(); }
};

/// Returns the reason why `bytes` of `what` exceed the memory per rank of a
/// machine; empty if they fit, or if the machine does not state its memory.
std::string checkMemory(const cost::Machine &machine, llvm::StringRef what,
                        int64_t bytes);

/// A lower bound on all orders of a module's tasks on their streams.
struct OrderBound {
  struct Graph {
    schedule::TaskGraph graph;
    schedule::Contention contention;
  };

  /// Lower bound on the time of any order, in the measure of `Evaluation::us`.
  /// 0 if orders affect more than start times, for example the links in use.
  double leastUs = 0;
  /// One graph per schedule, for `tighten`; none with a routing trace.
  std::vector<Graph> graphs;

  /// Raises the bound. This takes about as long as the cheapest ordering of the
  /// tasks.
  void tighten();
};

/// Evaluates programs on a machine: their time and memory, or the reason why
/// they cannot be evaluated. `moe-sim` and all choices by compilation use this
/// class only.
///
/// It caches the times of ops and groups, so one evaluator should be used for
/// all copies of a module.
class ScheduleEvaluator {
public:
  /// `machine` must outlive the evaluator. `options` apply to functions without
  /// a schedule. The beam search over all task orders of sub-batches is
  /// disabled, because it takes longer than many evaluations.
  explicit ScheduleEvaluator(const cost::Machine &machine,
                             ScheduleOptions options = {})
      : timer(machine), options(std::move(options)) {
    this->options.searchWidth = 0;
  }

  const cost::Machine &getMachine() const { return timer.getMachine(); }
  OpTimer &getTimer() { return timer; }

  /// Runs the passes that `add` appends, without remarks. Discarded modules
  /// need no verification. Fails as the passes do, with their errors.
  static llvm::LogicalResult
  runSilently(mlir::ModuleOp module,
              llvm::function_ref<void(mlir::OpPassManager &)> add,
              bool verifies);

  /// Schedules every function of a module that can be scheduled and is not yet.
  llvm::LogicalResult schedule(mlir::ModuleOp module,
                               bool verifies = true) const;

  /// Uses `given` as the routing of all modules, instead of their own traces.
  void setRouting(const traffic::Routing *given) {
    hasRouting = true;
    timer.setRouting(given);
  }

  /// Uses the module's routing trace, aggregated over all iterations, for later
  /// times. Emits an error and fails if it cannot be read.
  llvm::LogicalResult takeTraffic(mlir::ModuleOp module);

  /// Simulates a schedule with the routing trace of its module, aggregated over
  /// all iterations. Emits an error and fails if an op has no time, tasks wait
  /// for each other in a cycle, or the trace cannot be read.
  mlir::FailureOr<SimulatedSchedule> simulate(ScheduleOp op);

  /// Evaluates the existing schedules of a module. Emits errors and fails as
  /// `simulate`; a module without a schedule returns a problem instead. Without
  /// `withMemory`, the memory is 0. Sets `bound` unless it is null.
  mlir::FailureOr<Evaluation> evaluate(mlir::ModuleOp module,
                                       bool withMemory = true,
                                       OrderBound *bound = nullptr);

private:
  OpTimer timer;
  ScheduleOptions options;
  schedule::Simulator simulator;
  bool hasRouting = false;
  /// The trace of the module simulated last, and its contents.
  mlir::Attribute trafficAttr;
  std::optional<ModuleTraffic> moduleTraffic;
  std::optional<traffic::Routing> routing;
};

/// Formats a time for a remark, "12.3 us", or "12.3 us (extrapolated)" if it
/// includes sizes outside the measured range of the machine.
std::string describeUs(double us, bool isExtrapolated);

/// Returns the schedule of a function, or null.
ScheduleOp findSchedule(mlir::func::FuncOp function);

} // namespace moe

#endif // MOE_COMPILER_SCHEDULEEVALUATOR_H
