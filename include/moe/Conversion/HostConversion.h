// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops of other dialects that the host carries out.
//
// convert-moe-to-moert puts tasks on streams. A dialect of an optional
// component may have ops that the host does instead of a stream: it
// computes values of counts that streams have made, or talks to a device.

#ifndef MOE_CONVERSION_HOSTCONVERSION_H
#define MOE_CONVERSION_HOSTCONVERSION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectInterface.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include <functional>

namespace moe {

/// The host's function while it is built, as far as these ops need it.
class HostServices {
public:
  virtual ~HostServices() = default;

  /// Builds what the host does next.
  virtual mlir::OpBuilder &getBuilder() = 0;
  /// Builds objects at the top of the function, which it asks for once.
  virtual mlir::OpBuilder getTop() = 0;
  virtual mlir::func::FuncOp getFunction() = 0;
  /// The module's symbols, for functions that are called.
  virtual mlir::SymbolTable &getSymbols() = 0;
  virtual mlir::Value getIndex(int64_t value) = 0;
  /// This rank's place in a group.
  virtual mlir::Value getGroupRank(mlir::Location loc,
                                   GroupAttrInterface group) = 0;
  /// The object that stands for what an op declares, null until it is set.
  virtual mlir::Value &getObject(mlir::Operation *declaration) = 0;

  /// Memory of the host for a value of this type, or for a memref. Emits an
  /// error and returns null for a type that has no buffer.
  virtual mlir::Value createHostBuffer(mlir::Location loc, mlir::Type type) = 0;
  /// Memory of the host with the elements of values, which the op that is built
  /// next may read.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readOnHost(mlir::Location loc, mlir::ValueRange values) = 0;
  /// Makes the memory of the host in which results are, from the memory of
  /// `operands`; it is called where the first result is read.
  using Maker = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
      llvm::ArrayRef<mlir::Value> operands)>;
  virtual void define(mlir::ValueRange results, mlir::ValueRange operands,
                      Maker make) = 0;
};

/// Converts the work of the host in one function, in its order.
class HostWork {
public:
  virtual ~HostWork() = default;

  virtual llvm::LogicalResult convert(mlir::Operation *op,
                                      HostServices &services) = 0;
};

/// A dialect with ops that the host carries out.
class HostConversionInterface
    : public mlir::DialectInterface::Base<HostConversionInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostConversionInterface)

  explicit HostConversionInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Whether the host computes an op's results, by `define`.
  virtual bool isComputed(mlir::Operation *op) const = 0;
  virtual void define(mlir::Operation *op, HostServices &services) const = 0;
  /// The operands of an op that the host reads.
  virtual llvm::SmallVector<mlir::Value>
  getHostOperands(mlir::Operation *op) const = 0;
  /// Whether an op is work of the host, not of a stream.
  virtual bool isWork(mlir::Operation *op) const = 0;
  virtual std::unique_ptr<HostWork> startWork() const = 0;
};

/// The interface of an op's dialect; null for other ops.
inline const HostConversionInterface *getHostConversion(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect ? dialect->getRegisteredInterface<HostConversionInterface>()
                 : nullptr;
}

} // namespace moe

#endif // MOE_CONVERSION_HOSTCONVERSION_H
