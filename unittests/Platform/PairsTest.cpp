//===- PairsTest.cpp ------------------------------------------------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Platform/Pairs.h"
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::platform;
using dispatch::Link;
using dispatch::Links;
using dispatch::Topology;

namespace {

cost::Result<MeasuredPairs> read(const std::string &text) {
  std::string path = testing::TempDir() + "moe-pairs.json";
  std::ofstream(path) << text;
  cost::Result<MeasuredPairs> pairs = loadPairs(path);
  std::remove(path.c_str());
  return pairs;
}

std::string getError(const std::string &text) {
  cost::Result<MeasuredPairs> pairs = read(text);
  std::string error = pairs ? "" : pairs.getError();
  size_t name = error.find("moe-pairs.json");
  return name == std::string::npos ? error : error.substr(name);
}

/// Of two nodes of two devices: two pairs inside of them and four across, each
/// with the mean of both ways (SPEC TA-2).
TEST(PairsTest, LevelsAreMeans) {
  MeasuredPairs pairs{"here", *Topology::parse("[2,2]"), Links(4)};
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 4; ++j)
      pairs.links.at(i, j) = {double(i == j ? 1 : 10 * i + j),
                              double(1 + i + j)};
  auto levels = getLevelLinks(pairs);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].first, 0);
  EXPECT_DOUBLE_EQ(levels[0].second.betaUsPerByte, (1 + 3 + 5 + 7) / 4.0);
  // (0, 1), (1, 0), (2, 3), (3, 2).
  EXPECT_DOUBLE_EQ(levels[1].second.alphaUs, (1 + 10 + 23 + 32) / 4.0);
  EXPECT_DOUBLE_EQ(levels[2].second.alphaUs,
                   (2 + 20 + 3 + 30 + 12 + 21 + 13 + 31) / 8.0);
  cost::Result<MeasuredPairs> again = read(printPairs(pairs));
  ASSERT_TRUE(again) << again.getError();
  EXPECT_EQ(printPairs(*again), printPairs(pairs));
  // Of nodes of one device there are no pairs inside.
  MeasuredPairs single{"here", *Topology::parse("[1,1,1,1]"), pairs.links};
  EXPECT_EQ(getLevelLinks(single).size(), 2u);
}

TEST(PairsTest, Errors) {
  auto with = [](const std::string &alpha, const std::string &beta) {
    return getError(
        "{\"origin\": \"x\", \"topology\": \"2\",\n \"alpha_us\": " + alpha +
        ",\n \"beta_us_per_byte\": " + beta + "}");
  };
  EXPECT_EQ(with("[[0, 1], [1, 0]]", "[[1, 1], [1, 1]]"), "");
  EXPECT_EQ(with("[[0, 1], [1]]", "[]"),
            "moe-pairs.json:2:23: alpha_us[1]: expected 2 rows of as many "
            "numbers >= 0, got 1 in it");
  EXPECT_EQ(with("[[0, 1], [-1, 0]]", "[]"),
            "moe-pairs.json:2:24: alpha_us[1][0]: expected 2 rows of as many "
            "numbers >= 0, got -1");
  EXPECT_EQ(with("[[0, 1], [1, 0]]", "[[1, 0], [1, 1]]"),
            "moe-pairs.json:3:27: beta_us_per_byte[0][1]: expected 2 rows of "
            "as many numbers > 0, got 0");
  EXPECT_EQ(with("[[0, 1], [1, 0]]", "[[1, 1]]"),
            "moe-pairs.json:3:22: beta_us_per_byte: expected 2 rows of as many "
            "numbers > 0, got 1 rows");
  EXPECT_NE(getError(R"({"origin": "x", "topology": "[2"})").find("topology"),
            std::string::npos);
  EXPECT_NE(getError(R"({"origin": "x", "topology": "2"})")
                .find("nothing: the key is missing"),
            std::string::npos);
  EXPECT_NE(getError("").find("moe-pairs.json"), std::string::npos);
}

} // namespace
