// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

std::string getPairsError(const std::string &text) {
  cost::Result<MeasuredPairs> pairs = read(text);
  std::string error = pairs ? "" : pairs.getError();
  size_t name = error.find("moe-pairs.json");
  return name == std::string::npos ? error : error.substr(name);
}

/// Two nodes of two devices have two pairs inside and four across. Each level
/// has the mean of all its pairs in both directions (SPEC TA-2).
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
  // Nodes of one device have no pairs inside.
  MeasuredPairs single{"here", *Topology::parse("[1,1,1,1]"), pairs.links};
  EXPECT_EQ(getLevelLinks(single).size(), 2u);
}

/// Messages of 4 KiB, 16 KiB and so on over a link that passes `burst` bytes at
/// the machine's rate and all further bytes at its own rate.
struct BucketLink {
  double latencyUs, burst, fastBeta, beta;

  std::vector<Sample> send(size_t sizes) const {
    std::vector<Sample> samples;
    for (double bytes = 4096; samples.size() < sizes; bytes *= 4)
      samples.push_back(
          {cost::Bytes(bytes),
           cost::Microseconds(latencyUs + fastBeta * std::min(bytes, burst) +
                              beta * std::max(bytes - burst, 0.0))});
    return samples;
  }
};

TEST(PairsTest, BurstsAreNoPartOfTheRate) {
  // 100 Mbit/s after token buckets of 16 and 32 KiB, and 25 Mbit/s.
  for (BucketLink link : {BucketLink{60, 16384, 1e-4, 0.08},
                          BucketLink{60, 32768, 1e-4, 0.08},
                          BucketLink{200, 32768, 1e-3, 0.32}}) {
    std::vector<Sample> samples = link.send(5);
    cost::Result<LinkFit> fit = fitLink(samples);
    ASSERT_TRUE(fit) << fit.getError();
    EXPECT_TRUE(fit->isSettled);
    EXPECT_NEAR(fit->link.betaUsPerByte, link.beta, 1e-9);
    EXPECT_NEAR(fit->link.alphaUs, link.latencyUs, 1e-6);
    // A line through all messages would describe a faster link.
    EXPECT_LT(fitLine(samples)->beta.value(), 0.8 * link.beta);
  }
}

TEST(PairsTest, LongBurstsTakeLongMessages) {
  BucketLink link{60, 300 * 1024, 1e-4, 0.08};
  // Up to 256 KiB all bytes are in the burst; 1 MiB is the first size beyond
  // it.
  cost::Result<LinkFit> within = fitLink(link.send(5));
  ASSERT_TRUE(within) << within.getError();
  EXPECT_FALSE(within->isSettled);
  cost::Result<LinkFit> beyond = fitLink(link.send(6));
  ASSERT_TRUE(beyond) << beyond.getError();
  EXPECT_TRUE(beyond->isSettled);
  EXPECT_NEAR(beyond->link.betaUsPerByte, link.beta, 1e-9);
}

TEST(PairsTest, LinksWithoutBursts) {
  cost::Result<LinkFit> fit = fitLink(BucketLink{25, 0, 0, 0.001}.send(4));
  ASSERT_TRUE(fit) << fit.getError();
  EXPECT_TRUE(fit->isSettled);
  EXPECT_NEAR(fit->link.alphaUs, 25, 1e-9);
  EXPECT_NEAR(fit->link.betaUsPerByte, 0.001, 1e-12);
  // Short messages that take longer per byte than long ones do not imply a
  // latency below 0.
  std::vector<Sample> samples = BucketLink{0, 65536, 0.1, 0.01}.send(5);
  fit = fitLink(samples);
  ASSERT_TRUE(fit) << fit.getError();
  EXPECT_GE(fit->link.alphaUs, 0);
  EXPECT_LE(fit->link.alphaUs, samples[0].time.value());
}

TEST(PairsTest, LinkErrors) {
  BucketLink link{60, 16384, 1e-4, 0.08};
  EXPECT_EQ(fitLink(link.send(2)).getError(),
            "expected messages of at least 3 lengths, got 2");
  std::vector<Sample> samples = link.send(3);
  samples[2].time = samples[1].time;
  EXPECT_NE(fitLink(samples).getError().find(
                "expected messages of 65536 bytes to take longer than those of "
                "16384, got "),
            std::string::npos);
}

TEST(PairsTest, Errors) {
  auto with = [](const std::string &alpha, const std::string &beta) {
    return getPairsError(
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
  EXPECT_NE(getPairsError(R"({"origin": "x", "topology": "[2"})").find("topology"),
            std::string::npos);
  EXPECT_NE(getPairsError(R"({"origin": "x", "topology": "2"})")
                .find("nothing: the key is missing"),
            std::string::npos);
  EXPECT_NE(getPairsError("").find("moe-pairs.json"), std::string::npos);
}

} // namespace
