//===- FallbackTest.cpp - Ops that only their dialect knows ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dialect without one registered op, as that of an imported program is, that
// hands out every interface by the name of the op.
//
//===----------------------------------------------------------------------===//

#include "AnalysisTest.h"
#include "moe/Analysis/Chunking.h"
#include "moe/Analysis/Volumes.h"

using namespace moe;
using namespace mlir;

namespace {

using GetBytes = llvm::function_ref<FailureOr<int64_t>(Value)>;

/// foreign.scale: three microseconds, whatever the machine, elementwise.
struct ScaleCost : public CostOpInterface::FallbackModel<ScaleCost> {
  FailureOr<cost::Microseconds> getTime(Operation *, CostContext &) const {
    return cost::Microseconds(3);
  }
  cost::Resource getResource(Operation *) const { return cost::Resource::Copy; }
};
struct ScaleDims : public DimMapOpInterface::FallbackModel<ScaleDims> {
  DimMap getDimMap(Operation *op) const { return DimMap::elementwise(op); }
};
struct ScaleChain : public ChainOpInterface::FallbackModel<ScaleChain> {
  ChainScope getChainScope(Operation *) const { return ChainScope::Layer; }
  unsigned getChainedOperand(Operation *) const { return 0; }
  bool appliesExperts(Operation *) const { return true; }
};
struct ScaleEffects
    : public MemoryEffectOpInterface::FallbackModel<ScaleEffects> {
  using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;
  void getEffects(Operation *, Effects &) const {}
};

GroupAttrInterface getGroup(Operation *op) {
  return cast<GroupAttrInterface>(op->getAttr("group"));
}

/// foreign.shift: everything to the next rank of the group.
struct ShiftExchange
    : public ExchangeOpInterface::FallbackModel<ShiftExchange> {
  FailureOr<OpTraffic> getExchange(Operation *op, GetBytes getBytes) const {
    FailureOr<int64_t> bytes = getBytes(op->getOperand(0));
    if (failed(bytes))
      return failure();
    return OpTraffic{{{getGroup(op), cost::RingTraffic{{0, *bytes}}}}};
  }
};
struct ShiftCollective
    : public CollectiveOpInterface::FallbackModel<ShiftCollective> {
  GroupAttrInterface getGroup(Operation *op) const { return ::getGroup(op); }
  CollectiveKind getCollectiveKind(Operation *) const {
    return CollectiveKind::AllToAll;
  }
  FailureOr<int64_t> getSendBytes(Operation *op) const {
    return moe::getSendBytes(op);
  }
  FailureOr<Value> buildTranspose(Operation *, OpBuilder &, Value) const {
    return failure();
  }
};

class ForeignDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForeignDialect)

  explicit ForeignDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<ForeignDialect>()) {
    allowUnknownOperations();
  }
  static constexpr StringLiteral getDialectNamespace() { return "foreign"; }

  void *getRegisteredInterfaceForOp(TypeID id, OperationName name) override {
    bool isScale = name.stripDialect() == "scale";
    bool isShift = name.stripDialect() == "shift";
    if (isScale && id == TypeID::get<CostOpInterface>())
      return &scaleCost;
    if (isScale && id == TypeID::get<DimMapOpInterface>())
      return &scaleDims;
    if (isScale && id == TypeID::get<ChainOpInterface>())
      return &scaleChain;
    if (isScale && id == TypeID::get<MemoryEffectOpInterface>())
      return &scaleEffects;
    if (isShift && id == TypeID::get<ExchangeOpInterface>())
      return &shiftExchange;
    if (isShift && id == TypeID::get<CollectiveOpInterface>())
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
};

struct FallbackTest : public test::AnalysisTest {
  FallbackTest() {
    context.loadDialect<ForeignDialect>();
    parse(R"(
      moe.mesh @mesh axes ["ep"] shape [4]
      func.func @f(%x: tensor<4x10x50xf32>) -> tensor<4x10x50xf32> {
        %0 = moe.all_to_all %x on <@mesh, ["ep"]> split 0 concat 0
           : tensor<4x10x50xf32> -> tensor<4x10x50xf32>
        %1 = "foreign.scale"(%0) : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        %2 = moe.all_to_all %1 on <@mesh, ["ep"]> split 0 concat 0
           : tensor<4x10x50xf32> -> tensor<4x10x50xf32>
        %3 = "foreign.shift"(%2) {group = #moe.group<@mesh, ["ep"]>}
           : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        %4 = "foreign.other"(%3) : (tensor<4x10x50xf32>) -> tensor<4x10x50xf32>
        return %4 : tensor<4x10x50xf32>
      }
    )");
  }
};

TEST_F(FallbackTest, Costs) {
  ASSERT_FALSE(find("foreign.scale")->isRegistered());
  EXPECT_EQ(getTime("foreign.scale"), 3);
  EXPECT_EQ(getLocalResource(find("foreign.scale")), cost::Resource::Copy);
  EXPECT_EQ(getTime("foreign.other"), -1);
  EXPECT_EQ(error, "'foreign.other' op cannot be timed: nothing is known about "
                   "it; state its microseconds, {moe.us = 1.0 : f64}");
}

TEST_F(FallbackTest, Exchanges) {
  // Every second rank sends to the other node.
  EXPECT_DOUBLE_EQ(getTime("foreign.shift"), 8000 / 10e3);
  SmallVector<CollectiveVolume> volumes = computeVolumes(*module);
  ASSERT_EQ(volumes.size(), 3u);
  EXPECT_EQ(volumes[2].op, find("foreign.shift"));
  EXPECT_EQ(volumes[2].axes, "ep");
  EXPECT_EQ(volumes[2].getTotalBytes(), 8000);
  EXPECT_EQ(volumes[2].bound, VolumeBound::Exact);
}

TEST_F(FallbackTest, Effects) {
  auto collective = dyn_cast<CollectiveOpInterface>(find("foreign.shift"));
  ASSERT_TRUE(collective);
  EXPECT_EQ(*collective.getSendBytes(), 8000);
  EXPECT_TRUE(isAllToAll(find("foreign.shift")));
  EXPECT_TRUE(isMemoryEffectFree(find("foreign.scale")));
  EXPECT_FALSE(isMemoryEffectFree(find("foreign.other")));
}

TEST_F(FallbackTest, Chains) {
  EXPECT_TRUE(appliesExperts(find("foreign.scale")));
  Chain chain =
      findChain(cast<AllToAllOp>(find("moe.all_to_all")), ChainScope::Layer);
  ASSERT_EQ(chain.ops.size(), 3u);
  EXPECT_EQ(chain.ops[1], find("foreign.scale"));
  std::string reason;
  std::optional<ChunkDim> dim = findChunkDim(chain, 2, reason);
  ASSERT_TRUE(dim) << reason;
  EXPECT_EQ(dim->size, 50);
  EXPECT_EQ(findChain(cast<AllToAllOp>(find("moe.all_to_all")),
                      ChainScope::Communication)
                .ops.size(),
            1u);
}

} // namespace
