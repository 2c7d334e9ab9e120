// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds variants of layers, and applies them.

#ifndef MOE_COMPILER_VARIANTCHOICE_H
#define MOE_COMPILER_VARIANTCHOICE_H

#include "moe/Compiler/LayerVariant.h"
#include "moe/Compiler/PlanOptions.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Platform/Load.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace moe {
struct ChooseDegreeOptions;

/// A layer and the form chosen for it. Finding forms changes nothing of a
/// module; `applyVariants` does.
struct ChosenVariant {
  LayerOp layer;
  LayerVariant form;
};

/// Which forms `moe-select-strategy` chooses from.
struct VariantLimits {
  StrategyChoice choice = StrategyChoice::Auto;
  /// Only this many chunks, or up to the most.
  std::optional<int64_t> degree;
  int64_t maxChunks = 64;

  /// Somebody asked for a form, so that it is an error where there is none.
  bool isForced() const {
    return choice != StrategyChoice::Auto || degree.has_value();
  }
  /// "strategy=o3 degree=auto".
  std::string describe() const;
  /// What is wrong with them, in words that say what was expected; empty when
  /// nothing is.
  std::string check() const;
};

/// The form in which each layer with an all-to-all is fastest on a platform,
/// as `moe-select-strategy` chooses it. Says its choices in remarks; emits an
/// error and fails where a form that was asked for is not possible.
/// `usesFitted` tells the remarks that parameters fitted to published results
/// are in effect.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseStrategies(mlir::ModuleOp module, const cost::Machine &machine,
                 const VariantLimits &limits, bool usesFitted);

/// The degree, with order and sizes, in which each layer's experts and
/// exchanges are fastest, as `moe-choose-degree` chooses it. The platform is
/// `machine`, whatever the options name. Says its choices in remarks; emits an
/// error and fails where an option is out of range.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseDegrees(mlir::ModuleOp module, const cost::Machine &machine,
              const ChooseDegreeOptions &options);

/// The part of forms to make: their decomposition, what is made of it, or all.
enum class VariantPart { Decomposition, Chunks, All };

/// Gives layers of a module their forms, or a part of these; a mesh axis is
/// split where the nodes of the machine cut it, with the decomposition. Emits
/// an error and fails where a layer cannot take its form.
llvm::LogicalResult applyVariants(mlir::ModuleOp module,
                                  llvm::ArrayRef<ChosenVariant> forms,
                                  const cost::Machine &machine,
                                  VariantPart part = VariantPart::All);

} // namespace moe

#endif // MOE_COMPILER_VARIANTCHOICE_H
