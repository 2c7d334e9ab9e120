// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Compiler/LayerVariant.h"
#include "gtest/gtest.h"

using namespace moe;

TEST(LayerVariantTest, BaselineDoesNothing) {
  LayerVariant form;
  EXPECT_TRUE(form.isBaseline());
  EXPECT_EQ(form.getName(), "baseline");
  EXPECT_EQ(form.describe(), "baseline");
  EXPECT_EQ(form.str(), "baseline");
}

TEST(LayerVariantTest, NamesSayTheDecomposition) {
  LayerVariant form;
  form.dropDim = 2;
  EXPECT_EQ(form.getName(), "o1");
  form.scope = ChainScope::Communication;
  form.chunks = 4;
  EXPECT_EQ(form.getName(), "o3");
  form.copies = CopyPlacement::Intra;
  EXPECT_EQ(form.getName(), "o2");
  EXPECT_EQ(form.describe(),
            "o2, communication in 4 chunks, slice along dim 2");
  form.exchange = AllToAllAlgorithm::HierarchicalLeader;
  EXPECT_EQ(form.describeRow(), "1dh+o2, communication");
  form.dropDim = std::nullopt;
  EXPECT_EQ(form.getName(), "1dh");
  form.exchange = AllToAllAlgorithm::Flat;
  form.scope = ChainScope::Layer;
  EXPECT_EQ(form.describe(), "chunked, whole layer in 4 chunks");
}

TEST(LayerVariantTest, TextHoldsEveryField) {
  LayerVariant form{AllToAllAlgorithm::Hierarchical,
                    3,
                    ChainScope::Layer,
                    2,
                    {5, 3},
                    "DDCC",
                    CopyPlacement::Intra};
  EXPECT_EQ(form.str(), "exchange=2dh drop=3 scope=layer chunks=2 sizes=[5,3] "
                        "order=DDCC copies=intra");
}

/// Variants that differ in one field are unequal and print differently.
TEST(LayerVariantTest, EqualWhenEveryFieldIs) {
  LayerVariant form{AllToAllAlgorithm::Hierarchical,
                    3,
                    ChainScope::Layer,
                    2,
                    {5, 3},
                    "DDCC",
                    CopyPlacement::Intra};
  EXPECT_EQ(form, LayerVariant(form));
  llvm::SmallVector<LayerVariant> others(7, form);
  others[0].exchange = AllToAllAlgorithm::HierarchicalLeader;
  others[1].dropDim = std::nullopt;
  others[2].scope = ChainScope::Communication;
  others[3].chunks = 3;
  others[4].sizes = {3, 5};
  others[5].order = "";
  others[6].copies = CopyPlacement::Own;
  for (const LayerVariant &other : others) {
    EXPECT_FALSE(form == other) << other.str();
    EXPECT_NE(form.str(), other.str());
  }
}

TEST(LayerVariantTest, EnumsReadBack) {
  for (AllToAllAlgorithm exchange :
       {AllToAllAlgorithm::Flat, AllToAllAlgorithm::Hierarchical,
        AllToAllAlgorithm::HierarchicalLeader, AllToAllAlgorithm::NodeDedup})
    EXPECT_EQ(parseEnumName<AllToAllAlgorithm>(getEnumName(exchange)),
              exchange);
  for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
    EXPECT_EQ(parseEnumName<ChainScope>(getEnumName(scope)), scope);
  EXPECT_EQ(parseEnumName<AllToAllAlgorithm>("3dh"), std::nullopt);
  EXPECT_EQ(parseEnumName<ChainScope>(""), std::nullopt);
}
