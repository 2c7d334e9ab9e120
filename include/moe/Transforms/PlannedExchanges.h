// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exchanges that use the sizes of a plan.

#ifndef MOE_TRANSFORMS_PLANNEDEXCHANGES_H
#define MOE_TRANSFORMS_PLANNEDEXCHANGES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include <optional>

namespace moe {

/// An exchange that uses a plan, and whether it sends rows back to their
/// tokens.
struct PlannedExchange {
  RaggedAllToAllOp op;
  bool isBack;
};

/// All exchanges that use the sizes of one plan, including exchanges in other
/// layers that receive these sizes.
class PlannedExchanges {
public:
  /// Finds the exchanges, which must have a static number of rows. Otherwise
  /// returns nullopt and sets `reason`, for example to the op that also reads
  /// offsets or sizes.
  static std::optional<PlannedExchanges> find(RaggedPlanOp plan,
                                              std::string &reason);

  llvm::ArrayRef<PlannedExchange> get() const { return exchanges; }
  /// Maximum number of rows on the side of the tokens, and on the side of the
  /// experts.
  int64_t getNearRows() const { return nearRows; }
  int64_t getFarRows() const { return farRows; }

  /// Adds the results of `made`, an op after the plan, to the results of its
  /// layer if an exchange is outside of the layer.
  void handOut(mlir::Operation *made);
  /// Returns the results of `made` as visible at `exchange`, after `handOut`.
  llvm::SmallVector<mlir::Value> see(mlir::Operation *made,
                                     mlir::Operation *exchange) const;

private:
  explicit PlannedExchanges(RaggedPlanOp plan) : plan(plan) {}
  bool run(std::string &reason);
  /// Follows the uses of a result of the plan, also into other layers.
  bool follow(mlir::Value value, unsigned result, std::string &reason);

  RaggedPlanOp plan;
  llvm::SmallVector<PlannedExchange> exchanges;
  /// Values that are results of the plan, with the number of the result.
  llvm::MapVector<mlir::Value, unsigned> results;
  int64_t nearRows = 0, farRows = 0;
  /// The layer's results for `made`, after `handOut`.
  llvm::SmallVector<mlir::Value> handedOut;
};

} // namespace moe

#endif // MOE_TRANSFORMS_PLANNEDEXCHANGES_H
