// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Dispatch/Links.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::dispatch;

namespace {

Topology parse(std::string_view text) {
  cost::Result<Topology> topology = Topology::parse(text);
  EXPECT_TRUE(topology) << text;
  return *topology;
}

std::string getError(std::string_view text) {
  cost::Result<Topology> topology = Topology::parse(text);
  return topology ? "" : topology.getError();
}

TEST(TopologyTest, LevelsOfATree) {
  Topology topology = parse("[[2,2],[2]]");
  EXPECT_EQ(topology.getNumDevices(), 6);
  EXPECT_EQ(topology.getNumLevels(), 3);
  EXPECT_EQ(topology.getLevel(0, 0), 0);
  EXPECT_EQ(topology.getLevel(0, 1), 1);
  EXPECT_EQ(topology.getLevel(1, 2), 2);
  EXPECT_EQ(topology.getLevel(3, 4), 3);
  EXPECT_EQ(topology.getLevel(4, 5), 1);
  EXPECT_EQ(topology.print(), "[[2,2],[2]]");
}

TEST(TopologyTest, UnevenDepth) {
  Topology topology = parse(" [3, [2, 1]]");
  EXPECT_EQ(topology.getNumDevices(), 6);
  EXPECT_EQ(topology.getLevel(0, 2), 1);
  EXPECT_EQ(topology.getLevel(0, 3), 3);
  EXPECT_EQ(topology.getLevel(3, 4), 1);
  EXPECT_EQ(topology.getLevel(4, 5), 2);
}

TEST(TopologyTest, RingAndNode) {
  Topology ring = parse("ring:6");
  EXPECT_TRUE(ring.isRing());
  EXPECT_EQ(ring.getNumLevels(), 3);
  EXPECT_EQ(ring.getLevel(0, 5), 1);
  EXPECT_EQ(ring.getLevel(1, 4), 3);
  EXPECT_TRUE(ring.isSymmetric());
  Topology node = parse("8");
  EXPECT_EQ(node.getNumLevels(), 1);
  EXPECT_EQ(node.getLevel(0, 7), 1);
}

TEST(TopologyTest, Symmetrize) {
  std::vector<std::string> notes;
  EXPECT_EQ(parse("[[2,2],[2]]").symmetrize(notes).print(), "[[2,2,2]]");
  EXPECT_EQ(notes.size(), 1u);
  notes.clear();
  EXPECT_EQ(parse("[[2,2],[2,2]]").symmetrize(notes).print(), "[[2,2],[2,2]]");
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(parse("[2,2]").isSymmetric());
  EXPECT_FALSE(parse("[2,3]").isSymmetric());
  EXPECT_EQ(parse("[4,[2,2]]").symmetrize(notes).print(), "[[4,2,2]]");
  // The nodes are merged and, because they still differ, counted as the
  // largest.
  EXPECT_EQ(notes.size(), 2u);
  EXPECT_EQ(parse("[[2,3],[3,2]]").symmetrize(notes).print(), "[[2,3],[3,2]]");
}

TEST(TopologyTest, Errors) {
  EXPECT_EQ(getError("[2,"),
            "topology: expected 1 to 1024 devices at character 4, got the end");
  EXPECT_EQ(getError("[]"),
            "topology: expected 1 to 1024 devices at character 2, got ']'");
  EXPECT_EQ(getError("[2]x"),
            "topology: expected the end at character 4, got 'x'");
  EXPECT_EQ(getError("[2 2]"),
            "topology: expected ',' or ']' at character 4, got '2]'");
  EXPECT_NE(getError("0").find("expected 1 to 1024"), std::string::npos);
  EXPECT_NE(getError("-3"), "");
  EXPECT_NE(getError("99999999999999999999"), "");
  EXPECT_NE(getError("[1000,1000]").find("in all"), std::string::npos);
  EXPECT_EQ(getError("ring:[2]"),
            "topology: expected ring:DEVICES, got 'ring:[2]'");
  EXPECT_NE(getError(std::string(100, '[')).find("16 levels"),
            std::string::npos);
  EXPECT_NE(getError(""), "");
}

TEST(LinksTest, SmoothIsTheMeanOfALevel) {
  Topology topology = parse("[2,2]");
  Links links = *Links::create(topology, {{1, 2}, {3, 4}}, {0, 1});
  EXPECT_EQ(links.at(0, 1).betaUsPerByte, 2);
  EXPECT_EQ(links.at(0, 3).alphaUs, 3);
  // Two pairs inside of nodes, four across.
  links.at(0, 1).betaUsPerByte = 4;
  links.at(0, 2) = {7, 12};
  Links smooth = links.smooth(topology);
  EXPECT_DOUBLE_EQ(smooth.at(2, 3).betaUsPerByte, (3 + 2) / 2.0);
  EXPECT_DOUBLE_EQ(smooth.at(1, 3).betaUsPerByte, (8 + 3 * 4) / 4.0);
  EXPECT_DOUBLE_EQ(smooth.at(3, 1).alphaUs, (5 + 3 * 3) / 4.0);
  EXPECT_DOUBLE_EQ(smooth.at(1, 1).betaUsPerByte, 1);
}

TEST(LinksTest, HopsOfARing) {
  Links links = *Links::create(parse("ring:5"), {{2, 3}}, {0, 1});
  EXPECT_EQ(links.at(0, 2).alphaUs, 4);
  EXPECT_EQ(links.at(0, 3).alphaUs, 4);
  EXPECT_EQ(links.at(0, 4).alphaUs, 2);
  EXPECT_EQ(links.at(0, 2).betaUsPerByte, 3);
  auto wrong = Links::create(parse("ring:5"), {{2, 3}, {2, 3}}, {0, 1});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.getError(),
            "expected links of 1 level for topology ring:5, got 2");
}

} // namespace
