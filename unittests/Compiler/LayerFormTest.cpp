//===- LayerFormTest.cpp ----------------------------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/LayerForm.h"
#include "gtest/gtest.h"

using namespace moe;

TEST(LayerFormTest, BaselineDoesNothing) {
  LayerForm form;
  EXPECT_TRUE(form.isBaseline());
  EXPECT_EQ(form.getName(), "baseline");
  EXPECT_EQ(form.describe(), "baseline");
  EXPECT_EQ(form.str(), "baseline");
}

TEST(LayerFormTest, NamesSayTheDecomposition) {
  LayerForm form;
  form.dropDim = 2;
  EXPECT_EQ(form.getName(), "o1");
  form.scope = ChainScope::Communication;
  form.chunks = 4;
  EXPECT_EQ(form.getName(), "o3");
  form.copies = CopyPlacement::Intra;
  EXPECT_EQ(form.getName(), "o2");
  EXPECT_EQ(form.describe(), "o2, communication in 4 chunks, slice along dim 2");
  form.exchange = Exchange::OneRank;
  EXPECT_EQ(form.describeRow(), "1dh+o2, communication");
  form.dropDim = std::nullopt;
  EXPECT_EQ(form.getName(), "1dh");
  form.exchange = Exchange::Flat;
  form.scope = ChainScope::Layer;
  EXPECT_EQ(form.describe(), "chunked, whole layer in 4 chunks");
}

TEST(LayerFormTest, TextHoldsEveryField) {
  LayerForm form{Exchange::TwoSteps,  3, ChainScope::Layer, 2, {5, 3}, "DDCC",
                 CopyPlacement::Intra};
  EXPECT_EQ(form.str(), "exchange=2dh drop=3 scope=layer chunks=2 sizes=[5,3] "
                        "order=DDCC copies=intra");
}

/// Two forms that differ in one field are two forms, and print apart.
TEST(LayerFormTest, EqualWhenEveryFieldIs) {
  LayerForm form{Exchange::TwoSteps,  3, ChainScope::Layer, 2, {5, 3}, "DDCC",
                 CopyPlacement::Intra};
  EXPECT_EQ(form, LayerForm(form));
  llvm::SmallVector<LayerForm> others(7, form);
  others[0].exchange = Exchange::OneRank;
  others[1].dropDim = std::nullopt;
  others[2].scope = ChainScope::Communication;
  others[3].chunks = 3;
  others[4].sizes = {3, 5};
  others[5].order = "";
  others[6].copies = CopyPlacement::Own;
  for (const LayerForm &other : others) {
    EXPECT_FALSE(form == other) << other.str();
    EXPECT_NE(form.str(), other.str());
  }
}

TEST(LayerFormTest, EnumsReadBack) {
  for (Exchange exchange :
       {Exchange::Flat, Exchange::TwoSteps, Exchange::OneRank, Exchange::Nodes})
    EXPECT_EQ(symbolizeExchange(stringifyExchange(exchange)), exchange);
  for (ChainScope scope : {ChainScope::Communication, ChainScope::Layer})
    EXPECT_EQ(parseWord<ChainScope>(getWord(scope)), scope);
  EXPECT_EQ(symbolizeExchange("3dh"), std::nullopt);
  EXPECT_EQ(parseWord<ChainScope>(""), std::nullopt);
}
