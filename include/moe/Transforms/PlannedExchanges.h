// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges by the sizes of a plan.

#ifndef MOE_TRANSFORMS_PLANNEDEXCHANGES_H
#define MOE_TRANSFORMS_PLANNEDEXCHANGES_H

#include "moe/Dialect/MoE/MoEOps.h"
#include <optional>

namespace moe {

/// An exchange by a plan, and whether rows go back by it.
struct PlannedExchange {
  RaggedAllToAllOp op;
  bool isBack;
};

/// All exchanges by the sizes of one plan, also those of layers that are handed
/// these.
class PlannedExchanges {
public:
  /// Finds them, of rows of a static shape. Otherwise says in `reason` why not:
  /// what else reads offsets and sizes.
  static std::optional<PlannedExchanges> find(RaggedPlanOp plan,
                                              std::string &reason);

  llvm::ArrayRef<PlannedExchange> get() const { return exchanges; }
  /// The most rows on the side of the tokens, and on that of the experts.
  int64_t getNearRows() const { return nearRows; }
  int64_t getFarRows() const { return farRows; }

  /// Lets the layer around `made`, which stands behind the plan, hand its
  /// results out where an exchange is outside of it.
  void handOut(mlir::Operation *made);
  /// The results of `made` as the exchange sees them, after `handOut`.
  llvm::SmallVector<mlir::Value> see(mlir::Operation *made,
                                     mlir::Operation *exchange) const;

private:
  explicit PlannedExchanges(RaggedPlanOp plan) : plan(plan) {}
  bool run(std::string &reason);
  /// Follows a result of the plan, perhaps into another layer.
  bool follow(mlir::Value value, unsigned result, std::string &reason);

  RaggedPlanOp plan;
  llvm::SmallVector<PlannedExchange> exchanges;
  /// Per value that is a result of the plan, its number.
  llvm::MapVector<mlir::Value, unsigned> results;
  int64_t nearRows = 0, farRows = 0;
  /// Results of what was handed out.
  llvm::SmallVector<mlir::Value> handedOut;
};

} // namespace moe

#endif // MOE_TRANSFORMS_PLANNEDEXCHANGES_H
