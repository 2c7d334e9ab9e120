//===- Dialects.cpp - StableHLO and Shardy, as text is read ---- -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Dialect/StableHLO/Dialects.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/StableHLO/Ops.h"

using namespace mlir;
using namespace moe;

namespace {

/// Functions of their operands have no effects; all others may have any.
struct Effects : public MemoryEffectOpInterface::FallbackModel<Effects> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    if (isStableHLOFunction(op))
      return;
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};

struct Dims : public DimMapOpInterface::FallbackModel<Dims> {
  DimMap getDimMap(Operation *op) const {
    return getStableHLODimMap(op).value_or(DimMap());
  }
};

/// Calls of functions of such ops may be replaced by what they run.
struct Inlining : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

/// Of an op that is not between quotes.
ParseResult refusePrettyText(OpAsmParser &parser, OperationState &state) {
  return parser.emitError(parser.getNameLoc())
         << "expected '" << state.name.getStringRef()
         << "' in generic text, got its pretty form; JAX gives generic text "
            "by lowered.compiler_ir(\"stablehlo\").operation.get_asm("
            "print_generic_op_form=True)";
}

/// A dialect that keeps what it does not know.
class TextDialect : public Dialect {
public:
  TextDialect(StringRef name, MLIRContext *context, TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    addInterfaces<Inlining>();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    return OpaqueAttr::getChecked(
        [&] { return parser.emitError(parser.getNameLoc()); },
        StringAttr::get(getContext(), getNamespace()),
        parser.getFullSymbolSpec(), type ? type : NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::getChecked(
        [&] { return parser.emitError(parser.getNameLoc()); },
        StringAttr::get(getContext(), getNamespace()),
        parser.getFullSymbolSpec());
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return refusePrettyText;
  }

  void *getRegisteredInterfaceForOp(TypeID interface,
                                    OperationName name) override {
    if (getNamespace() != "stablehlo" && getNamespace() != "chlo")
      return nullptr;
    if (interface == MemoryEffectOpInterface::getInterfaceID())
      return &effects;
    if (interface == DimMapOpInterface::getInterfaceID())
      return hasStableHLODims(name) ? &dims : nullptr;
    return nullptr;
  }

private:
  Effects effects;
  Dims dims;
};

#define MOE_TEXT_DIALECT(CLASS, NAME)                                          \
  struct CLASS : public TextDialect {                                          \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CLASS)                        \
    static constexpr StringLiteral getDialectNamespace() { return NAME; }      \
    explicit CLASS(MLIRContext *context)                                       \
        : TextDialect(NAME, context, TypeID::get<CLASS>()) {}                  \
  }

MOE_TEXT_DIALECT(SdyDialect, "sdy");
MOE_TEXT_DIALECT(StableHLODialect, "stablehlo");
MOE_TEXT_DIALECT(CHLODialect, "chlo");
MOE_TEXT_DIALECT(MHLODialect, "mhlo");

template <typename DialectT> void insertIfFree(DialectRegistry &registry) {
  if (!registry.getDialectAllocator(DialectT::getDialectNamespace()))
    registry.insert<DialectT>();
}

} // namespace

void moe::registerStableHLODialects(DialectRegistry &registry) {
  insertIfFree<SdyDialect>(registry);
  insertIfFree<StableHLODialect>(registry);
  insertIfFree<CHLODialect>(registry);
  insertIfFree<MHLODialect>(registry);
}
