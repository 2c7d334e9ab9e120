// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of others, as text.

#ifndef MOE_DIALECT_TEXT_TEXTDIALECT_H
#define MOE_DIALECT_TEXT_TEXTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// A dialect that keeps what it does not know: ops stay unregistered,
/// attributes and types as they are written, and verification looks through
/// regions of its ops as it does through those of known dialects. Of the ops
/// that `moe/Dialect/Text/Ops.h` knows, it says the effects, the dims and the
/// times, and that products are the work of experts.
class TextDialect : public mlir::Dialect {
public:
  TextDialect(llvm::StringRef name, mlir::MLIRContext *context,
              mlir::TypeID id);

  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser,
                                 mlir::Type type) const override;
  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  void *getRegisteredInterfaceForOp(mlir::TypeID interface,
                                    mlir::OperationName name) override;

private:
  struct Effects
      : public mlir::MemoryEffectOpInterface::FallbackModel<Effects> {
    void getEffects(mlir::Operation *op,
                    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                        mlir::MemoryEffects::Effect>> &effects) const;
  };
  struct Dims : public DimMapOpInterface::FallbackModel<Dims> {
    DimMap getDimMap(mlir::Operation *op) const;
  };

  struct Costs : public CostOpInterface::FallbackModel<Costs> {
    llvm::FailureOr<cost::Microseconds> getTime(mlir::Operation *op,
                                                CostContext &context) const;
    cost::Resource getResource(mlir::Operation *op) const;
  };

  struct Chains : public ChainOpInterface::FallbackModel<Chains> {
    ChainScope getChainScope(mlir::Operation *) const {
      return ChainScope::Layer;
    }
    unsigned getChainedOperand(mlir::Operation *) const { return 0; }
    bool appliesExperts(mlir::Operation *) const { return true; }
  };

  Effects effects;
  Dims dims;
  Costs costs;
  Chains chains;
};

/// Registers a dialect unless its name is taken: two of one name end the
/// process.
template <typename DialectT>
void registerIfFree(mlir::DialectRegistry &registry) {
  if (!registry.getDialectAllocator(DialectT::getDialectNamespace()))
    registry.insert<DialectT>();
}

} // namespace moe

#endif // MOE_DIALECT_TEXT_TEXTDIALECT_H
