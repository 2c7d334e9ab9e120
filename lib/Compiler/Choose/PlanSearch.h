// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest compile plan.
//
// A compile plan is a point in a space of axes: padded or ragged exchanges,
// number of sub-batches, schedule of the step, and so on. The search takes one
// axis after another, in the order of `listPlanAxes`. For each value of an axis
// it chooses along the axes behind it, compiles the program with the plan that
// they find, and simulates it. The fastest value is kept; of values that are
// equally fast, the first.
//
// To add an axis, derive from `PlanAxis` and add it to the table in
// PlanSpace.cpp.

#ifndef MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H
#define MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H

#include "../StepPlanner.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
class PlanSearch;

/// A program on its way through the axes.
struct PlanState {
  mlir::ModuleOp module;
  /// What to choose; an axis replaces its option by the value chosen.
  ChoosePlanOptions options;
  /// Layers whose exchanges have a ragged plan send each token once per node.
  bool nodeDedup = false;
  /// The search rewrote the program, so it has to fit the platform's memory. A
  /// program as its author wrote it need not.
  bool mustFit = false;
  /// Plans the schedules of `module`, with what they share; null if none was
  /// planned yet.
  std::shared_ptr<StepPlanner> planner = nullptr;
  /// What the program takes with its plan and the best task order, once known.
  std::optional<Evaluation> evaluation = std::nullopt;
};

/// A value of an axis.
struct PlanValue {
  /// As in options and metrics, and as in text.
  std::string word, name;
  /// Rewrites the program or sets an option. Emits an error and fails if the
  /// program cannot take the value.
  std::function<llvm::LogicalResult(PlanState &)> apply;
  /// What the value is, for readers who do not know its name.
  std::string meaning = {};
};

/// A value that was tried on a copy of the program.
struct PlanTrial {
  PlanValue value;
  /// Why the value cannot be taken, if it has a problem.
  Evaluation evaluation = {};
  /// The copy with its plan, and what was chosen for it.
  mlir::OwningOpRef<mlir::ModuleOp> planned = {};
  PlanState state = {};
  RecordedRemarks remarks = {};

  double getUs() const {
    return evaluation ? evaluation.us : std::numeric_limits<double>::infinity();
  }
};

class PlanAxis {
public:
  /// Category and name of the axis' remark.
  PlanAxis(llvm::StringLiteral category, llvm::StringLiteral name)
      : category(category), name(name) {}
  virtual ~PlanAxis() = default;

  /// The values to compare, the simplest first; one if the options leave no
  /// choice or the program has none. Emits an error and fails if the program
  /// cannot take a given value.
  virtual mlir::FailureOr<std::vector<PlanValue>>
  list(PlanState &state, PlanSearch &search) const = 0;

  /// False if it is not worth trying the next value. `tried` is not empty.
  virtual bool goesOn(llvm::ArrayRef<PlanTrial> tried) const { return true; }

  /// The fraction by which times may differ that count as equal.
  virtual double getTolerance(const cost::Machine &machine) const {
    return machine.uncertainty.value;
  }

  /// True if values are compared with the best task order and their memory;
  /// false if a quicker evaluation does.
  virtual bool comparesFully() const { return true; }

  /// False for an axis without a remark of its own.
  virtual bool isReported() const { return true; }

  /// Completes the plan of the chosen value.
  virtual llvm::LogicalResult finish(PlanState &state, double us,
                                     PlanSearch &search) const {
    return mlir::success();
  }

  /// The function that adds what would change the choice; null for none. Only
  /// called if the remark is read. The function owns what it reads, but for the
  /// machine, which outlives it.
  using Explain = std::function<llvm::LogicalResult(Decision &)>;
  virtual Explain explain(PlanState &state, PlanTrial &best,
                          PlanTrial &runnerUp, PlanSearch &search) const {
    return nullptr;
  }

  llvm::StringRef getCategory() const { return category; }
  llvm::StringRef getName() const { return name; }
  mlir::remark::RemarkOpts getRemarkOptions() const {
    return mlir::remark::RemarkOpts::name(name).category(category);
  }

private:
  llvm::StringLiteral category, name;
};

/// The axes along which a program gets its plan, outermost first, and those
/// along which a finished plan is completed.
llvm::ArrayRef<const PlanAxis *> listPlanAxes();
llvm::ArrayRef<const PlanAxis *> listFinishedPlanAxes();

class PlanSearch {
public:
  /// Without a machine nothing is compared, and no plan is made. `machine`
  /// outlives the search. It is the one of the module's platform unless
  /// `isOther`. `usesFitted` tells remarks that parameters fitted to published
  /// results are in effect.
  PlanSearch(const cost::Machine *machine, bool usesFitted,
             bool isOther = false);

  /// Chooses along some axes and writes the plan on the module. Emits an error
  /// and fails if an axis fails, or no plan can be made.
  llvm::LogicalResult run(llvm::ArrayRef<const PlanAxis *> axes,
                          PlanState &state);

  const cost::Machine *getMachine() const { return machine; }

  /// Tries the values of the first axis, and the best of the others for each.
  std::vector<PlanTrial> tryValues(llvm::ArrayRef<const PlanAxis *> axes,
                                   llvm::ArrayRef<PlanValue> values,
                                   PlanState &state);

  /// The best trial; the end for none. The runner-up is the fastest of the
  /// others, or of those that take another time; null for none.
  static std::vector<PlanTrial>::iterator
  pickBest(const PlanAxis &axis, std::vector<PlanTrial> &trials,
           const cost::Machine &machine);
  static PlanTrial *findRunnerUp(llvm::MutableArrayRef<PlanTrial> trials,
                                 const PlanTrial &best, bool isTieAllowed);

  /// What a planned program takes with the best task order found, and how much
  /// memory with its arguments. The module stays as it is. Emits an error and
  /// fails if it cannot be compiled.
  mlir::FailureOr<Evaluation> evaluateFully(PlanState &state);
  /// The same without searching for task orders, and without memory.
  mlir::FailureOr<Evaluation> evaluateQuickly(PlanState &state);

private:
  PlanTrial tryValue(llvm::ArrayRef<const PlanAxis *> axes,
                     const PlanValue &value, PlanState &state);
  llvm::LogicalResult makePlan(PlanState &state);
  llvm::LogicalResult report(const PlanAxis &axis,
                             llvm::MutableArrayRef<PlanTrial> trials,
                             const PlanTrial &best, PlanAxis::Explain explain,
                             PlanState &state);

  const cost::Machine *machine;
  bool usesFitted, isOther;
  std::optional<ScheduleEvaluator> evaluator;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H
