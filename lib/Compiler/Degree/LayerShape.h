// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the forms of one shape take.

#ifndef MOE_LIB_COMPILER_DEGREE_LAYERSHAPE_H
#define MOE_LIB_COMPILER_DEGREE_LAYERSHAPE_H

#include "../StepChoices.h"
#include "DegreeChoice.h"
#include "moe/Compiler/Decision.h"
#include "moe/Compiler/ScheduleEvaluator.h"
#include "moe/Compiler/VariantChoice.h"

namespace moe {

/// What layers of one shape share: the forms to choose from, with their times.
struct LayerShape {
  std::optional<ChunkedLayer> chunked;
  /// Why there is none.
  std::string obstacle;
  std::vector<DegreeCandidate> candidates;
  /// What the decision shows: equal chunks by their number, and what was
  /// compared besides.
  std::vector<Candidate> degrees;
  std::vector<std::string> notes;
  /// What the layer alone takes in the best form, if that was simulated.
  std::optional<double> aloneUs;

  /// The form without its order's place for gradients where there are none.
  LayerVariant getForm(const DegreeCandidate &candidate) const;
};

/// Times the forms that a layer may take, by plan and, where orders or unequal
/// chunks are in question, by simulation of the layer alone.
class ShapePlanner {
public:
  ShapePlanner(const cost::Machine &machine, const ChooseDegreeOptions &options,
               KnownLayers &known)
      : machine(machine), options(options), known(known) {}

  /// Times a layer, alone in its module, in all degrees and orders that there
  /// are to choose from. `key` stands for its shape.
  mlir::LogicalResult plan(mlir::ModuleOp alone, Phase phase,
                           llvm::StringRef key, LayerShape &shape);

private:
  /// A form with what the layer alone takes in it.
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
