// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the fastest variant of a layer.

#ifndef MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H
#define MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H

#include "NodeBoundary.h"
#include "mlir/IR/BuiltinOps.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/PlanOptions.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"
#include "moe/Transforms/Passes.h"
#include <map>

namespace moe {

/// Returns true if the option `choice` includes this variant.
bool isOf(const LayerVariant &form, StrategyChoice choice);

/// Adds the first passes that build a variant from an imported layer: the split
/// of the mesh axis, node-dedup, and the slice (`moe.drop`). `boundary` is the
/// boundary of a hierarchical exchange, null for a flat one.
void addBasePasses(mlir::OpPassManager &manager, const LayerVariant &form,
                   const NodeBoundary *boundary);
/// Adds the remaining passes. For a variant with an order, they also run after
/// `cutExperts`, which builds its chunks.
void addLatePasses(mlir::OpPassManager &manager, const LayerVariant &form);

/// Returns all variants with one of the chunk counts, simpler ones first: fewer
/// chunks, flat before hierarchical, hierarchical before node-dedup, fewer
/// rewrites before more.
llvm::SmallVector<LayerVariant>
listVariants(llvm::ArrayRef<int64_t> chunkCounts);

/// Returns 1, 2, 3, 4, 6, 8, 12, ... up to `most`.
llvm::SmallVector<int64_t> listChunkCounts(int64_t most);

/// A variant and its simulation results.
struct EvaluatedVariant {
  LayerVariant form;
  double us = 0;
  int64_t peakBytes = 0;
  /// Number of tasks with sizes outside the measured range of the machine.
  int64_t numExtrapolated = 0;
  /// Index of its row, with simpler rows first.
  size_t order = 0;

  /// Compares by fewer chunks, then an earlier row, then less time.
  bool isSimplerThan(const EvaluatedVariant &other) const {
    return std::tuple(form.chunks, order, us) <
           std::tuple(other.form.chunks, other.order, other.us);
  }
};

/// The results of a search.
struct SearchResult {
  /// The chosen variant, and then the fastest one of each other row by time,
  /// with the simpler one first in ties. The chosen variant is the simplest of
  /// all variants within the machine's uncertainty of the fastest.
  llvm::SmallVector<EvaluatedVariant> rows;
  /// Time of the fastest variant.
  double leastUs = 0;
  /// The unchanged layer, even if the options exclude it; nullopt if it does
  /// not fit the memory.
  std::optional<EvaluatedVariant> baseline;
  /// Rows without a candidate, or common parts of their names, with the reason:
  /// "slice along dim 2", "already deduplicated ...".
  llvm::SmallVector<std::pair<std::string, std::string>> impossible;
  /// The reason why the layer cannot be scheduled with any variant, or an empty
  /// string.
  std::string obstacle;
  /// Number of simulated variants.
  size_t numSimulated = 0;
};

/// Applies variants to copies of an isolated layer, schedules them as
/// `moe-schedule` does, and simulates them on a machine.
class VariantSearch {
public:
  /// `alone` is the module of an `IsolatedLayer`, and is not changed. Both must
  /// outlive the search. With a `pipelineObstacle`, no variant has chunks.
  /// `keepsSchedules` should be true if the search will run on other machines,
  /// too.
  VariantSearch(mlir::ModuleOp alone, const cost::Machine &machine,
                const VariantLimits &limits, std::string pipelineObstacle = "",
                bool keepsSchedules = false);

  /// Emits an error and fails if a variant cannot be simulated. Returns no rows
  /// if no variant is possible or fits the memory.
  mlir::FailureOr<SearchResult> run();

  /// Runs the same search on a machine that differs only in its links; some are
  /// `speed` times as fast. Must be called after `run`. Skips variants that
  /// were much slower with faster links than another variant is with these
  /// links.
  mlir::FailureOr<SearchResult> runOn(const cost::Machine &other, double speed);

  const cost::Machine &getMachine() const { return evaluator->getMachine(); }
  mlir::ModuleOp getLayer() const { return alone; }

private:
  /// Returns the layer after the split of its axis and the slice, which is
  /// common to variants with the same exchange and slice. Returns null and
  /// notes the reason if nothing can be sliced.
  mlir::FailureOr<mlir::ModuleOp> getBase(const LayerVariant &form);
  /// Returns the scheduled layer with a variant. Returns null and notes the
  /// reason if the variant is impossible.
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  build(const LayerVariant &form);
  /// Returns the result of `build`; null also if messages are too small for the
  /// machine. The module is valid until the next call, or during the whole
  /// search if it keeps schedules.
  mlir::FailureOr<mlir::ModuleOp> getSchedule(const LayerVariant &form);
  mlir::FailureOr<std::optional<EvaluatedVariant>>
  evaluate(const LayerVariant &form);
  /// Returns true if a variant must be much slower on this machine than another
  /// one, because it was with faster links.
  bool isHopeless(const LayerVariant &form) const;
  /// Evaluates a variant if the limits permit it, and stores it if it is the
  /// best of its row.
  llvm::LogicalResult tryVariant(const LayerVariant &form,
                                 SearchResult &result);
  /// Moves the simplest variant that is as good as the fastest one to the
  /// front.
  void choose(SearchResult &result) const;
  /// Records the reason why a row has no candidate: the first one, or the last
  /// one of a variant that was built (`isVariant`).
  void note(const std::string &what, const std::string &why,
            bool isVariant = false);
  std::string explainDrop(int64_t dim);
  /// Returns the reason why tokens cannot be sent once per node, or an empty
  /// string.
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
  /// Must be declared before `boundary`, because its initialization sets this.
  std::string whyNoBoundary;
  std::optional<NodeBoundary> boundary;
  llvm::SmallVector<std::pair<std::string, std::string>> notes;
  /// All variants that may be chosen.
  llvm::SmallVector<EvaluatedVariant> eligible;
  /// True if a plan derives rows from counts. Only then may tokens be sent once
  /// per node; otherwise the string has the reason.
  bool hasPlan = false;
  std::optional<std::string> whyNoNodes;
  /// Indexed by the preparation of the exchange (none, the axis split, or this
  /// and node-dedup), and the dim to slice (-1 for none).
  std::map<std::pair<int, int64_t>, mlir::OwningOpRef<mlir::ModuleOp>> bases;
  /// Speed of the machine's links relative to the first run.
  double speed = 1;
  /// An upper bound on the time of the fastest variant, as far as it is known.
  double enoughUs = std::numeric_limits<double>::infinity();
  /// Times by variant, and by link speed.
  std::map<std::string, std::map<double, double>> times;
  /// Variants that were chosen at any speed.
  llvm::SmallVector<LayerVariant> winners;
  /// Indices of rows by name.
  std::map<std::string, size_t> orders;
  /// By variant; null if it is impossible.
  std::map<std::string, mlir::OwningOpRef<mlir::ModuleOp>> schedules;
};

/// Returns the decision of a search, without changes.
Decision makeDecision(const SearchResult &result, const cost::Machine &machine);

/// Adds inputs that would change the choice: the bandwidths between nodes,
/// below and above the machine's, that make the same search choose another row.
/// If the layer's all-to-alls stay inside nodes, varies the bandwidth there.
/// All links beyond the innermost level are scaled alike. Adds nothing if there
/// is only one row or level.
llvm::LogicalResult addChanges(VariantSearch &search,
                               const SearchResult &result, Decision &decision);

} // namespace moe

#endif // MOE_LIB_COMPILER_VARIANTS_VARIANTSEARCH_H
