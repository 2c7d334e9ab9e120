// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of other projects, kept as text.

#include "moe/Dialect/Text/TextDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "moe/Dialect/Text/Costs.h"
#include "moe/Dialect/Text/Ops.h"
#include "moe/Dialect/Text/StableHLO/Text.h"

using namespace mlir;
using namespace moe;

namespace {

/// Calls of functions with such ops may be inlined.
struct Inlining : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

/// Functions of their operands have no effects; all other ops may have any.
void TextDialect::Effects::getEffects(
    Operation *op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) const {
  if (isTextFunction(op))
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

DimMap TextDialect::Dims::getDimMap(Operation *op) const {
  return getTextDimMap(op).value_or(DimMap());
}

FailureOr<cost::Microseconds>
TextDialect::Costs::getTime(Operation *op, CostContext &context) const {
  return getTextTime(op, context);
}

cost::Resource TextDialect::Costs::getResource(Operation *) const {
  return cost::Resource::Compute;
}

TextDialect::TextDialect(StringRef name, MLIRContext *context, TypeID id)
    : Dialect(name, context, id) {
  allowUnknownOperations();
  addInterfaces<Inlining>();
}

Attribute TextDialect::parseAttribute(DialectAsmParser &parser,
                                      Type type) const {
  return OpaqueAttr::getChecked(
      [&] { return parser.emitError(parser.getNameLoc()); },
      StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec(),
      type ? type : NoneType::get(getContext()));
}

Type TextDialect::parseType(DialectAsmParser &parser) const {
  return OpaqueType::getChecked(
      [&] { return parser.emitError(parser.getNameLoc()); },
      StringAttr::get(getContext(), getNamespace()),
      parser.getFullSymbolSpec());
}

void *TextDialect::getRegisteredInterfaceForOp(TypeID interface,
                                               OperationName name) {
  // Nothing is known about MHLO ops, and only the identity about Shardy ops.
  if (getNamespace() == "mhlo" ||
      (getNamespace() == "sdy" && name.getStringRef() != kConstraintName))
    return nullptr;
  if (interface == MemoryEffectOpInterface::getInterfaceID())
    return &effects;
  if (interface == DimMapOpInterface::getInterfaceID())
    return hasTextDims(name) ? &dims : nullptr;
  if (interface == CostOpInterface::getInterfaceID())
    return hasTextCost(name) ? &costs : nullptr;
  if (interface == ChainOpInterface::getInterfaceID())
    return isTextProduct(name) ? &chains : nullptr;
  return nullptr;
}
