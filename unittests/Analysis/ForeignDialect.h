// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that only their dialect can interpret.
//
// Like the dialect of an imported program, this one registers no op and hands
// out every interface by the name of the op.

#ifndef MOE_UNITTESTS_ANALYSIS_FOREIGNDIALECT_H
#define MOE_UNITTESTS_ANALYSIS_FOREIGNDIALECT_H

#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoE/ModelInterfaces.h"

namespace moe::test {

using GetBytes = llvm::function_ref<mlir::FailureOr<int64_t>(mlir::Value)>;

/// foreign.scale: elementwise; takes three microseconds on any machine.
struct ScaleCost : public CostOpInterface::FallbackModel<ScaleCost> {
  mlir::FailureOr<cost::Microseconds> getTime(mlir::Operation *,
                                              CostContext &) const {
    return cost::Microseconds(3);
  }
  cost::Resource getResource(mlir::Operation *) const {
    return cost::Resource::Copy;
  }
};
struct ScaleDims : public DimMapOpInterface::FallbackModel<ScaleDims> {
  DimMap getDimMap(mlir::Operation *op) const {
    DimMap map = DimMap::elementwise(op);
    map.isPartwise = true;
    return map;
  }
};
struct ScaleChain : public ChainOpInterface::FallbackModel<ScaleChain> {
  ChainScope getChainScope(mlir::Operation *) const {
    return ChainScope::Layer;
  }
  unsigned getChainedOperand(mlir::Operation *) const { return 0; }
  bool appliesExperts(mlir::Operation *) const { return true; }
};
struct ScaleEffects
    : public mlir::MemoryEffectOpInterface::FallbackModel<ScaleEffects> {
  using Effects = mlir::SmallVectorImpl<mlir::MemoryEffects::EffectInstance>;
  void getEffects(mlir::Operation *, Effects &) const {}
};

inline GroupAttrInterface getGroup(mlir::Operation *op) {
  return mlir::cast<GroupAttrInterface>(op->getAttr("group"));
}

/// foreign.pick: accepts indices from 3 to 5.
struct PickIndex : public IndexOpInterface::FallbackModel<PickIndex> {
  std::optional<IndexRange> getIndexRange(mlir::Operation *, unsigned) const {
    return IndexRange{3, 5};
  }
};

/// foreign.shift: sends everything to the next rank of the group.
struct ShiftExchange
    : public ExchangeOpInterface::FallbackModel<ShiftExchange> {
  mlir::FailureOr<OpTraffic> getExchange(mlir::Operation *op,
                                         GetBytes getBytes) const {
    mlir::FailureOr<int64_t> bytes = getBytes(op->getOperand(0));
    if (mlir::failed(bytes))
      return mlir::failure();
    return OpTraffic{{{getGroup(op), cost::RingTraffic{{0, *bytes}}}}};
  }
};
struct ShiftCollective
    : public CollectiveOpInterface::FallbackModel<ShiftCollective> {
  GroupAttrInterface getGroup(mlir::Operation *op) const {
    return test::getGroup(op);
  }
  CollectiveKind getCollectiveKind(mlir::Operation *) const {
    return CollectiveKind::AllToAll;
  }
  mlir::FailureOr<int64_t> getSendBytes(mlir::Operation *op) const {
    return moe::getSendBytes(op);
  }
  mlir::FailureOr<mlir::Value>
  buildTranspose(mlir::Operation *, mlir::OpBuilder &, mlir::Value) const {
    return mlir::failure();
  }
};

struct ShiftDims : public DimMapOpInterface::FallbackModel<ShiftDims> {
  DimMap getDimMap(mlir::Operation *op) const {
    // The exchange splits the first dim, so that one has no link.
    DimMap map;
    for (unsigned d = 1; d < 3; ++d)
      map.links.push_back({0, d, 0, d});
    return map;
  }
};
struct ShiftChain : public ChainOpInterface::FallbackModel<ShiftChain> {
  ChainScope getChainScope(mlir::Operation *) const {
    return ChainScope::Communication;
  }
  unsigned getChainedOperand(mlir::Operation *) const { return 0; }
  bool appliesExperts(mlir::Operation *) const { return false; }
};

class ForeignDialect : public mlir::Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForeignDialect)

  explicit ForeignDialect(mlir::MLIRContext *context)
      : mlir::Dialect(getDialectNamespace(), context,
                      mlir::TypeID::get<ForeignDialect>()) {
    allowUnknownOperations();
  }
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return "foreign";
  }

  void *getRegisteredInterfaceForOp(mlir::TypeID id,
                                    mlir::OperationName name) override {
    bool isScale = name.stripDialect() == "scale";
    bool isShift = name.stripDialect() == "shift";
    if (isScale && id == mlir::TypeID::get<CostOpInterface>())
      return &scaleCost;
    if (isScale && id == mlir::TypeID::get<DimMapOpInterface>())
      return &scaleDims;
    if (isScale && id == mlir::TypeID::get<ChainOpInterface>())
      return &scaleChain;
    if (isScale && id == mlir::TypeID::get<mlir::MemoryEffectOpInterface>())
      return &scaleEffects;
    if (isShift && id == mlir::TypeID::get<DimMapOpInterface>())
      return &shiftDims;
    if (isShift && id == mlir::TypeID::get<ChainOpInterface>())
      return &shiftChain;
    if (name.stripDialect() == "pick" &&
        id == mlir::TypeID::get<IndexOpInterface>())
      return &pickIndex;
    if (isShift && id == mlir::TypeID::get<ExchangeOpInterface>())
      return &shiftExchange;
    if (isShift && id == mlir::TypeID::get<CollectiveOpInterface>())
      return &shiftCollective;
    return nullptr;
  }

private:
  ScaleCost scaleCost;
  ScaleDims scaleDims;
  ScaleChain scaleChain;
  ScaleEffects scaleEffects;
  ShiftExchange shiftExchange;
  ShiftCollective shiftCollective;
  ShiftDims shiftDims;
  ShiftChain shiftChain;
  PickIndex pickIndex;
};

} // namespace moe::test

#endif // MOE_UNITTESTS_ANALYSIS_FOREIGNDIALECT_H
