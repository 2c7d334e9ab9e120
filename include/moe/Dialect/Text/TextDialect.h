// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of other projects, kept as text.

#ifndef MOE_DIALECT_TEXT_TEXTDIALECT_H
#define MOE_DIALECT_TEXT_TEXTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe {

/// A dialect that keeps unknown contents: ops stay unregistered, attributes and
/// types stay text, and the verifier checks regions of its ops as it does for
/// known dialects. For the ops in `moe/Dialect/Text/Ops.h`, it provides
/// effects, dims and times, and treats products as experts.
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

/// Registers a dialect unless its name is taken, because two dialects with the
/// same name abort the process.
template <typename DialectT>
void registerIfFree(mlir::DialectRegistry &registry) {
  if (!registry.getDialectAllocator(DialectT::getDialectNamespace()))
    registry.insert<DialectT>();
}

} // namespace moe

#endif // MOE_DIALECT_TEXT_TEXTDIALECT_H
