//===- RemarkTextTest.cpp - Tests of texts of remarks -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/RemarkText.h"
#include "gtest/gtest.h"

using namespace moe;

namespace {

TEST(RemarkTextTest, LayersStandInFront) {
  auto [layer, rest] = splitLayer("layer 3 fwd: no pipeline: why");
  EXPECT_EQ(layer, "3 fwd");
  EXPECT_EQ(rest, "no pipeline: why");
  EXPECT_EQ(splitLayer("layer of no name").first, "");
  EXPECT_EQ(splitLayer("scheduled").second, "scheduled");
}

TEST(RemarkTextTest, LayersInARowAreARange) {
  EXPECT_EQ(formatLayers({"0", "1", "2", "7"}), "0-2, 7");
  EXPECT_EQ(formatLayers({"0 fwd", "1 fwd", "1 bwd"}), "0-1 fwd, 1 bwd");
  EXPECT_EQ(formatLayers({"3 bwd", "2 bwd", "1 bwd"}), "3-1 bwd");
  EXPECT_EQ(formatLayers({"1", "2", "1", "0"}), "1-2, 1-0");
  EXPECT_EQ(formatLayers({"encoder", "1", "1"}), "encoder, 1, 1");
  EXPECT_EQ(formatLayers({"a b", "18446744073709551615", "0"}),
            "a b, 18446744073709551615, 0");
}

TEST(RemarkTextTest, WhatLostIsOnlyCounted) {
  std::vector<std::string> lines = {
      "o1 takes 2.0 us and 1.0 MB at peak",
      "runner-up: o2, 3.0 us, 1.0 MB",
      "baseline: 4.0 us, 1.0 MB",
      "3 candidates simulated",
      "o2 is as fast with ib at 3 GB/s instead of 2",
      "what else was weighed: --remarks-full",
      "1 could not be tried: --remarks-full"};
  EXPECT_EQ(shortenChoice(
                "o1 takes 2.0 us and 1.0 MB at peak; runner-up: o2, "
                "3.0 us, 1.0 MB; baseline: 4.0 us, 1.0 MB; o3, drop, 5.0 us "
                "(extrapolated), 1.0 MB; no o2: dim 1 has 3, which is odd; 3 "
                "candidates simulated; o2 is as fast with ib at 3 GB/s instead of "
                "2"),
            lines);
  EXPECT_EQ(shortenChoice("no o2: alone").size(), 1u);
}

} // namespace
