// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for dialects that verify schedules.

#ifndef MOE_TRANSFORMS_SCHEDULEVERIFIER_H
#define MOE_TRANSFORMS_SCHEDULEVERIFIER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

namespace moe {

/// A dialect with ops whose tasks constrain schedules. moe-verify-schedule
/// calls all such dialects that are loaded.
class ScheduleVerifierInterface
    : public mlir::DialectInterface::Base<ScheduleVerifierInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ScheduleVerifierInterface)

  explicit ScheduleVerifierInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Emits an error and fails if a schedule violates the dialect's rules.
  virtual llvm::LogicalResult verifySchedules(mlir::ModuleOp module) const = 0;
};

} // namespace moe

#endif // MOE_TRANSFORMS_SCHEDULEVERIFIER_H
