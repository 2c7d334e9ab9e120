// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selection and application of layer variants.

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

/// A layer and its chosen variant. Selecting variants does not change a module;
/// `applyVariants` does.
struct ChosenVariant {
  LayerOp layer;
  LayerVariant form;
};

/// The variants that `moe-select-strategy` considers.
struct VariantLimits {
  StrategyChoice choice = StrategyChoice::Auto;
  /// Exactly this number of chunks, or any number up to the maximum.
  std::optional<int64_t> degree;
  int64_t maxChunks = 64;

  /// Returns true if the user requested a variant, so that its absence is an
  /// error.
  bool isForced() const {
    return choice != StrategyChoice::Auto || degree.has_value();
  }
  /// Returns, for example, "strategy=o3 degree=auto".
  std::string describe() const;
  /// Returns the error in the limits, with the expected values, or an empty
  /// string.
  std::string check() const;
};

/// Returns the fastest variant on a platform for each layer with an all-to-all,
/// as `moe-select-strategy` chooses it. Emits remarks about the choices; emits
/// an error and fails if a requested variant is impossible. `usesFitted` adds
/// to the remarks that parameters fitted to published results are in effect.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseStrategies(mlir::ModuleOp module, const cost::Machine &machine,
                 const VariantLimits &limits, bool usesFitted);

/// Returns the degree, with order and sizes, with which each layer's experts
/// and exchanges are fastest, as `moe-choose-degree` chooses it. The platform
/// is `machine`, even if the options name another one. Emits remarks about the
/// choices; emits an error and fails if an option is out of range.
mlir::FailureOr<llvm::SmallVector<ChosenVariant>>
chooseDegrees(mlir::ModuleOp module, const cost::Machine &machine,
              const ChooseDegreeOptions &options);

/// The part of the variants to apply: the decomposition, the chunks, or all.
enum class VariantPart { Decomposition, Chunks, All };

/// Applies variants to layers of a module, or a part of them.
/// `VariantPart::Decomposition` includes the split of mesh axes at node
/// boundaries. Emits an error and fails if a variant is impossible.
llvm::LogicalResult applyVariants(mlir::ModuleOp module,
                                  llvm::ArrayRef<ChosenVariant> forms,
                                  const cost::Machine &machine,
                                  VariantPart part = VariantPart::All);

} // namespace moe

#endif // MOE_COMPILER_VARIANTCHOICE_H
