// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of extension ops that the host executes.
//
// convert-moe-to-moert puts tasks on streams. A dialect of an optional
// component may have ops that the host executes instead of a stream: they
// compute values from counts of streams, or communicate with devices.

#ifndef MOE_CONVERSION_HOSTCONVERSION_H
#define MOE_CONVERSION_HOSTCONVERSION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectInterface.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <functional>

namespace moe {

/// Services of the host function under construction for these ops.
class HostServices {
public:
  virtual ~HostServices() = default;

  /// Returns the builder for the next ops of the host.
  virtual mlir::OpBuilder &getBuilder() = 0;
  /// Returns a builder for objects at the top of the function, which are
  /// created once.
  virtual mlir::OpBuilder getTop() = 0;
  virtual mlir::func::FuncOp getFunction() = 0;
  /// Returns the module's symbols, for functions that are called.
  virtual mlir::SymbolTable &getSymbols() = 0;
  virtual mlir::Value getIndex(int64_t value) = 0;
  /// Returns this rank's position in a group.
  virtual mlir::Value getGroupRank(mlir::Location loc,
                                   GroupAttrInterface group) = 0;
  /// Returns the object for a declaration op; null until it is set.
  virtual mlir::Value &getObject(mlir::Operation *declaration) = 0;

  /// Creates host memory for a value of this type, or for a memref. Emits an
  /// error and returns null for a type without a buffer.
  virtual mlir::Value createHostBuffer(mlir::Location loc, mlir::Type type) = 0;
  /// Returns host memory with the elements of values. The next op may read it.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readOnHost(mlir::Location loc, mlir::ValueRange values) = 0;
  /// Function that creates the host memory of results from the memory of
  /// `operands`. It is called when the first result is read.
  using Maker = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
      llvm::ArrayRef<mlir::Value> operands)>;
  virtual void define(mlir::ValueRange results, mlir::ValueRange operands,
                      Maker make) = 0;
};

/// Converts the host's work in one function, in program order.
class HostWork {
public:
  virtual ~HostWork() = default;

  virtual llvm::LogicalResult convert(mlir::Operation *op,
                                      HostServices &services) = 0;
};

/// Interface of a dialect with ops that the host executes.
class HostConversionInterface
    : public mlir::DialectInterface::Base<HostConversionInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostConversionInterface)

  explicit HostConversionInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns true if the host computes an op's results through `define`.
  virtual bool isComputed(mlir::Operation *op) const = 0;
  virtual void define(mlir::Operation *op, HostServices &services) const = 0;
  /// Returns the operands of an op that the host reads.
  virtual llvm::SmallVector<mlir::Value>
  getHostOperands(mlir::Operation *op) const = 0;
  /// Returns true if an op is work of the host and not of a stream.
  virtual bool isWork(mlir::Operation *op) const = 0;
  virtual std::unique_ptr<HostWork> startWork() const = 0;
};

/// Returns the interface of an op's dialect, or null for other ops.
inline const HostConversionInterface *getHostConversion(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<HostConversionInterface>()
                 : nullptr;
}

} // namespace moe

#endif // MOE_CONVERSION_HOSTCONVERSION_H
