// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of optional components.

#ifndef MOE_DIALECT_MOE_EXTENSIONDIALECT_H
#define MOE_DIALECT_MOE_EXTENSIONDIALECT_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

namespace moe {

/// Interface of a dialect with ops that extend `moe`: they are part of layers
/// and schedules, as `moe`'s own ops are. If they have neither memory effects
/// nor regions, their results depend on their operands only.
class ExtensionDialectInterface
    : public mlir::DialectInterface::Base<ExtensionDialectInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExtensionDialectInterface)

  explicit ExtensionDialectInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the permitted place of the dialect's ops in a program that is
  /// scheduled on streams, for an error "expected X outside of loops and
  /// branches".
  virtual llvm::StringRef getPlacement() const = 0;
};

/// Returns the interface of an op's dialect, or null for other ops.
inline const ExtensionDialectInterface *getExtension(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<ExtensionDialectInterface>()
                 : nullptr;
}

} // namespace moe

#endif // MOE_DIALECT_MOE_EXTENSIONDIALECT_H
