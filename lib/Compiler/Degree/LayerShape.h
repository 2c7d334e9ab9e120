// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of the variants of one layer shape.

#ifndef MOE_LIB_COMPILER_DEGREE_LAYERSHAPE_H
#define MOE_LIB_COMPILER_DEGREE_LAYERSHAPE_H

#include "../StepChoices.h"
#include "DegreeChoice.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"

namespace moe {

/// Common data of layers with one shape: the candidates with their times.
struct LayerShape {
  std::optional<ChunkedLayer> chunked;
  /// The reason if there are no candidates.
  std::string obstacle;
  std::vector<DegreeCandidate> candidates;
  /// Contents of the decision: equal chunks by their number, and notes on other
  /// comparisons.
  std::vector<Candidate> degrees;
  std::vector<std::string> notes;
  /// Time of the layer alone with the best variant, if it was simulated.
  std::optional<double> aloneUs;

  /// Returns the variant, without the position for gradients in its order if
  /// the layer has none.
  LayerVariant getForm(const DegreeCandidate &candidate) const;
};

/// Times a layer's variants by plan and, for orders and unequal chunks, by
/// simulation of the layer alone.
class ShapePlanner {
public:
  ShapePlanner(const cost::Machine &machine, const ChooseDegreeOptions &options,
               KnownLayers &known)
      : machine(machine), options(options), known(known) {}

  /// Times the layer, alone in its module, in all degrees and orders that may
  /// be chosen. `key` identifies its shape.
  mlir::LogicalResult plan(mlir::ModuleOp alone, Phase phase,
                           llvm::StringRef key, LayerShape &shape);

private:
  /// A candidate with the time of the layer alone.
  using Simulated = std::pair<double, const DegreeCandidate *>;

  mlir::FailureOr<Simulated>
  findFastestAlone(mlir::ModuleOp alone, ScheduleEvaluator &evaluator,
                   const LayerShape &shape,
                   llvm::ArrayRef<DegreeCandidate> candidates);
  void compareOrdersByPlan(LayerShape &shape);
  mlir::LogicalResult compareOrders(mlir::ModuleOp alone,
                                    ScheduleEvaluator &evaluator,
                                    LayerShape &shape);
  mlir::LogicalResult compareSizes(mlir::ModuleOp alone,
                                   ScheduleEvaluator &evaluator,
                                   LayerShape &shape);

  const cost::Machine &machine;
  const ChooseDegreeOptions &options;
  KnownLayers &known;
};

} // namespace moe

#endif // MOE_LIB_COMPILER_DEGREE_LAYERSHAPE_H
