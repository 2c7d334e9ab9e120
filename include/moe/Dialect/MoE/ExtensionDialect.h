// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of optional components.

#ifndef MOE_DIALECT_MOE_EXTENSIONDIALECT_H
#define MOE_DIALECT_MOE_EXTENSIONDIALECT_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

namespace moe {

/// A dialect whose ops extend `moe`: they are part of layers and schedules, as
/// `moe`'s own ops are, and without memory effects and regions their results
/// depend on their operands only.
class ExtensionDialectInterface
    : public mlir::DialectInterface::Base<ExtensionDialectInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExtensionDialectInterface)

  explicit ExtensionDialectInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Where its ops must be in a program that is put on streams, as an error
  /// says it: "expected X outside of loops and branches".
  virtual llvm::StringRef getPlacement() const = 0;
};

/// The interface of an op's dialect; null for other ops.
inline const ExtensionDialectInterface *getExtension(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<ExtensionDialectInterface>()
                 : nullptr;
}

} // namespace moe

#endif // MOE_DIALECT_MOE_EXTENSIONDIALECT_H
