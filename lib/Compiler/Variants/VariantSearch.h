// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest variant of a layer.

#ifndef MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H
#define MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H

#include "VariantPasses.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"
#include <map>

namespace moe {

/// A form and what the simulator says of it.
struct EvaluatedVariant {
  LayerVariant form;
  double us = 0;
  int64_t peakBytes = 0;
  /// Tasks of sizes that the machine was not measured at.
  int64_t numExtrapolated = 0;
  /// Place of its row among the rows, simpler ones first.
  size_t order = 0;

  /// Fewer chunks, then an earlier row, then less time.
  bool isSimplerThan(const EvaluatedVariant &other) const {
    return std::tuple(form.chunks, order, us) <
           std::tuple(other.form.chunks, other.order, other.us);
  }
};

/// What a search found.
struct SearchResult {
  /// The chosen form first, then the fastest of each other row, fastest first,
  /// the simpler first of equals. The chosen one is the simplest of all that
  /// are within the machine's uncertainty of the fastest.
  llvm::SmallVector<EvaluatedVariant> rows;
  /// What the fastest of all takes.
  double leastUs = 0;
  /// The layer as it is, also where it is not to be chosen; nothing when it
  /// does not fit the memory.
  std::optional<EvaluatedVariant> baseline;
  /// Rows without a candidate, or parts of their names that several share, and
  /// why: "slice along dim 2", "already deduplicated ...".
  llvm::SmallVector<std::pair<std::string, std::string>> impossible;
  /// Why the layer cannot be scheduled in any form; empty when it can.
  std::string obstacle;
  /// How many forms were simulated.
  size_t numSimulated = 0;
};

/// Gives copies of an isolated layer one form after another, schedules them as
/// `moe-schedule` does, and simulates them on a machine.
class VariantSearch {
public:
  /// `alone` is the module of an `IsolatedLayer`; it is left as it is. Both
  /// must outlive the search.
  /// Where `pipelineObstacle` says something, no form has chunks. One that is
  /// to be asked about other machines keeps what it schedules.
  VariantSearch(mlir::ModuleOp alone, const cost::Machine &machine,
                const VariantLimits &limits, std::string pipelineObstacle = "",
                bool keepsSchedules = false);

  /// Emits an error and fails when a form cannot be simulated. No row is found
  /// where no form is possible or fits the memory.
  mlir::FailureOr<SearchResult> run();

  /// The same search on a machine that differs in its links only, of which some
  /// are `speed` times as fast, behind `run`. Forms that took much longer with
  /// faster links than another takes with these are not timed.
  mlir::FailureOr<SearchResult> runOn(const cost::Machine &other, double speed);

  const cost::Machine &getMachine() const { return evaluator->getMachine(); }
  mlir::ModuleOp getLayer() const { return alone; }

private:
  /// The layer behind the split of its axis and the drop: what forms of equal
  /// exchange and drop have in common. Null, with the reason noted, where
  /// nothing can be dropped.
  mlir::FailureOr<mlir::ModuleOp> getBase(const LayerVariant &form);
  /// The layer in a form, scheduled; null, with the reason noted, when it
  /// cannot take that form.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  build(const LayerVariant &form);
  /// `build`, null also where messages are too small for the machine. Lives
  /// until the next call, or as long as the search where it keeps them.
  mlir::FailureOr<mlir::ModuleOp> getSchedule(const LayerVariant &form);
  mlir::FailureOr<std::optional<EvaluatedVariant>>
  evaluate(const LayerVariant &form);
  /// Whether a form takes much longer on this machine than another, from what
  /// it took with faster links.
  bool isHopeless(const LayerVariant &form) const;
  /// Evaluates a form, if it is to be, and keeps it where it is the best of its
  /// row.
  llvm::LogicalResult tryVariant(const LayerVariant &form,
                                 SearchResult &result);
  /// Moves the simplest form that is as good as the fastest to the front.
  void choose(SearchResult &result) const;
  /// Remembers a reason why a row has no candidate: the first one, or the last
  /// one of a form that was built (`isVariant`).
  void note(const std::string &what, const std::string &why,
            bool isVariant = false);
  std::string explainDrop(int64_t dim);
  /// Why tokens cannot be sent once a node; empty where they can.
  std::string explainNodes();
  std::string explainPipeline(mlir::ModuleOp base, const LayerVariant &form);
  const NodeBoundary *getBoundary() const {
    return boundary ? &*boundary : nullptr;
  }

  mlir::ModuleOp alone;
  VariantLimits limits;
  std::string pipelineObstacle;
  bool keepsSchedules;
  std::unique_ptr<ScheduleEvaluator> evaluator;
  /// Filled in by what finds the boundary, hence before it.
  std::string whyNoBoundary;
  std::optional<NodeBoundary> boundary;
  llvm::SmallVector<std::pair<std::string, std::string>> notes;
  /// All that were eligible.
  llvm::SmallVector<EvaluatedVariant> eligible;
  /// Whether rows follow from counts, which is why tokens may be sent once a
  /// node, and why they may not.
  bool hasPlan = false;
  std::optional<std::string> whyNoNodes;
  /// By what is done for the exchange (nothing, the axis split, or this and
  /// tokens sent once a node), and the dim to drop (-1 for none).
  std::map<std::pair<int, int64_t>, mlir::OwningOpRef<mlir::ModuleOp>> bases;
  /// Of the machine's links, over those of the first run's.
  double speed = 1;
  /// More than the fastest form takes, as far as that is known.
  double enoughUs = std::numeric_limits<double>::infinity();
  /// Times by form, and by the speed of links.
  std::map<std::string, std::map<double, double>> times;
  /// What was chosen at any speed.
  llvm::SmallVector<LayerVariant> winners;
  /// Places of rows, by their names.
  std::map<std::string, size_t> orders;
  /// By form; null where it cannot be.
  std::map<std::string, mlir::OwningOpRef<mlir::ModuleOp>> schedules;
};

/// The decision that a search found, without changes.
Decision makeDecision(const SearchResult &result, const cost::Machine &machine);

/// Adds what would change the choice: the bandwidths between nodes, below and
/// above the machine's, from which on the same search chooses another row;
/// where the layer's all-to-alls stay inside nodes, the bandwidth there. All
/// links beyond the innermost level are scaled alike. Adds nothing if there is
/// one row or one level.
llvm::LogicalResult addChanges(VariantSearch &search,
                               const SearchResult &result, Decision &decision);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H
