// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest compile plan.
//
// A compile plan is a point in a space with several axes: padded or ragged
// exchanges, number of sub-batches, schedule of the step, and so on. The search
// makes a plan for each combination of values and simulates the resulting
// program. Along each axis, in the order of `listPlanAxes`, it keeps the
// fastest value, or the first one of equally fast values.
//
// All compared times are times of the final schedule, with its tasks in the
// best order found. Because finding that order takes most of the time of a
// search, plans are first simulated without reordering and then ordered
// beginning with the fastest. Plans that no order of their tasks can make the
// choice are not ordered (OrderTrials.cpp).
//
// To add an axis, derive from `PlanAxis` and add it to the table in
// PlanSearch.cpp.

#ifndef MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H
#define MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H

#include "../StepPlanner.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/Passes.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Cost/TieTolerance.h"
#include "moe/Transforms/Remarks.h"

namespace moe {
class PlanAxis;
class PlanSearch;

/// A program during the search along the axes.
struct PlanState {
  mlir::ModuleOp module;
  /// The remaining choices; an axis replaces its option by the chosen value.
  ChoosePlanOptions options;
  /// True if layers with a ragged plan send each token once per node.
  bool nodeDedup = false;
  /// True if the plan also reorders the tasks of an undivided batch.
  bool reorders = false;
  /// True if the search rewrote the program, which then must fit the platform's
  /// memory. A program as its author wrote it need not.
  bool mustFit = false;
  /// Plans the schedules of `module` and caches their common parts; null if
  /// none was planned yet.
  std::shared_ptr<StepPlanner> planner = nullptr;
  /// The evaluation with its plan and the best task order, once known.
  std::optional<Evaluation> evaluation = std::nullopt;
};

/// A value of an axis.
struct PlanValue {
  /// `word` is the name in options and metrics, and `name` the name in text.
  std::string word, name;
  /// Rewrites the program or sets an option. Emits an error and fails if the
  /// program does not permit the value.
  std::function<llvm::LogicalResult(PlanState &)> apply;
  /// Explanation of the value for readers who do not know its name.
  std::string meaning = {};
};

/// A value that was tried on a copy of the program.
struct PlanTrial {
  PlanValue value;
  /// Evaluation with the best task order if `isOrdered`, otherwise without
  /// reordering. If the value is impossible, contains the problem.
  Evaluation evaluation = {};
  bool isOrdered = false;
  /// The time without reordering, if the plan reorders tasks.
  std::optional<double> unorderedUs = std::nullopt;
  /// The shortest time without reordering of all plans that were compared for
  /// the value.
  double leastUnorderedUs = std::numeric_limits<double>::infinity();
  /// A lower bound on the time of all orders.
  OrderBound bound = {};
  /// The copy with its plan, and the choices for it.
  mlir::OwningOpRef<mlir::ModuleOp> planned = {};
  /// The scheduled program with its tasks in the best order; null if not
  /// `isOrdered`.
  mlir::OwningOpRef<mlir::ModuleOp> ordered = {};
  PlanState state = {};
  RecordedRemarks remarks = {};
  /// The trials of the next axis that has several values, and the index of the
  /// chosen one.
  const PlanAxis *nestedAxis = nullptr;
  std::vector<PlanTrial> nested;
  size_t chosen = 0;

  /// Returns infinity if the value is impossible or not ordered yet.
  double getUs() const {
    return evaluation && isOrdered ? evaluation.us
                                   : std::numeric_limits<double>::infinity();
  }
  /// Returns the trial with the program, following the chosen nested trials.
  PlanTrial &getLeaf() { return nestedAxis ? nested[chosen].getLeaf() : *this; }
};

class PlanAxis {
public:
  /// Category and name of the axis' remarks.
  PlanAxis(llvm::StringLiteral category, llvm::StringLiteral name)
      : category(category), name(name) {}
  virtual ~PlanAxis() = default;

  /// Returns the values to compare, the simplest first, or a single one if
  /// options or program leave no choice. Emits an error and fails if the
  /// program does not permit a given value.
  virtual mlir::FailureOr<std::vector<PlanValue>>
  list(PlanState &state, PlanSearch &search) const = 0;

  /// Returns false if the next value is not worth trying. `tried` is not empty,
  /// and its trials are not reordered.
  virtual bool goesOn(llvm::ArrayRef<PlanTrial> tried) const { return true; }

  /// Returns the fraction by which equal times may differ.
  virtual double getTolerance(const cost::Machine &machine) const {
    return machine.uncertainty.value;
  }

  /// Returns true if remarks about the axis include the memory of each value.
  virtual bool reportsMemory() const { return true; }

  /// Returns false for an axis without remarks.
  virtual bool isReported() const { return true; }

  /// Function that adds the inputs that would change the choice; may be null.
  /// It is called only if the remark is read. It must own everything that it
  /// reads, except the machine, which outlives it.
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

/// Returns the axes along which a program gets its plan, outermost first, and
/// the axes along which a finished plan is completed.
llvm::ArrayRef<const PlanAxis *> listPlanAxes();
llvm::ArrayRef<const PlanAxis *> listFinishedPlanAxes();

class PlanSearch {
public:
  /// Without a machine, nothing is compared and no plan is made. `machine` must
  /// outlive the search. It is the machine of the module's platform unless
  /// `isOther`. `usesFitted` adds to remarks that parameters fitted to
  /// published results are in effect.
  PlanSearch(const cost::Machine *machine, bool usesFitted,
             bool isOther = false);

  /// Chooses along some axes and writes the plan to the module. Emits an error
  /// and fails if an axis fails or no plan can be made.
  llvm::LogicalResult run(llvm::ArrayRef<const PlanAxis *> axes,
                          PlanState &state);

  const cost::Machine *getMachine() const { return machine; }

  /// Tries the values of the first axis, and for each of them the values of the
  /// others, all without reordering.
  std::vector<PlanTrial> tryValues(llvm::ArrayRef<const PlanAxis *> axes,
                                   llvm::ArrayRef<PlanValue> values,
                                   PlanState &state);

  /// Orders the tasks of trials until the best trial is known, and returns it;
  /// the end if all have problems.
  std::vector<PlanTrial>::iterator orderTrials(const PlanAxis &axis,
                                               std::vector<PlanTrial> &trials);
  /// `pickBest` returns the best trial, or the end. `findRunnerUp` returns the
  /// fastest other trial, with another time unless `isTieAllowed`; may be null.
  static std::vector<PlanTrial>::iterator
  pickBest(const PlanAxis &axis, std::vector<PlanTrial> &trials,
           const cost::Machine &machine);
  static PlanTrial *findRunnerUp(llvm::MutableArrayRef<PlanTrial> trials,
                                 const PlanTrial &best, bool isTieAllowed);

private:
  llvm::LogicalResult makePlan(PlanState &state);
  /// Evaluates a planned program with the best task order found; the memory
  /// includes its arguments. The module is unchanged; `ordered` becomes the
  /// scheduled program, unless the evaluation is known. Emits an error and
  /// fails if the program cannot be compiled.
  mlir::FailureOr<Evaluation>
  evaluateFully(PlanState &state, mlir::OwningOpRef<mlir::ModuleOp> &ordered);
  /// Sets the evaluation of a trial without reordering, and the bound on its
  /// orders. Emits an error and fails as above.
  llvm::LogicalResult evaluateUnordered(PlanTrial &trial);

  /// Runs a function on a trial, and records its remarks and its first error.
  void attempt(const PlanAxis &axis, PlanTrial &trial,
               llvm::function_ref<llvm::LogicalResult()> run);
  /// Sets a problem on a trial if it must fit the memory but its bytes do not.
  void checkMemory(PlanTrial &trial, int64_t bytes) const;

  /// Applies the axes without a choice, and then tries the values of the next
  /// axis, or evaluates the plan.
  llvm::LogicalResult expand(llvm::ArrayRef<const PlanAxis *> axes,
                             PlanTrial &trial);
  /// Orders trials until the runner-up and the first one are known, for a
  /// remark about the choice of `best`.
  void orderForReport(const PlanAxis &axis, std::vector<PlanTrial> &trials,
                      const PlanTrial &best);
  void orderLeaf(const PlanAxis &axis, PlanTrial &leaf);
  /// Returns true if no order of a trial's tasks ends before `us`.
  static bool isRuledOut(PlanTrial &trial, double us);
  /// Copies the evaluations of nested trials to their parents.
  void updateNested(PlanTrial &trial) const;

  /// Replaces the program by the program of a trial, and reports the choices.
  /// `before` is the program without the axis' values.
  llvm::LogicalResult adopt(const PlanAxis &axis,
                            std::vector<PlanTrial> &trials, PlanTrial &best,
                            PlanState &before, PlanState &state);
  llvm::LogicalResult report(const PlanAxis &axis,
                             llvm::MutableArrayRef<PlanTrial> trials,
                             const PlanTrial &best, PlanAxis::Explain explain,
                             mlir::Location loc);

  const cost::Machine *machine;
  bool usesFitted, isOther;
  std::optional<ScheduleEvaluator> evaluator;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_CHOOSE_PLANSEARCH_H
