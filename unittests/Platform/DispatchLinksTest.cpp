// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Platform/DispatchLinks.h"
#include "moe/Platform/Load.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::platform;
using dispatch::Topology;

namespace {

Platform load(const std::string &more) {
  cost::Result<Platform> platform = parsePlatform(
      "{\"name\": \"p\", \"levels\": [{\"name\": \"node\", \"ranks\": 4, "
      "\"bandwidth_GBps\": 2, \"ranks_per_nic\": 1, \"latency_us\": 1}, "
      "{\"name\": \"net\", \"ranks\": 8, \"bandwidth_GBps\": 1, "
      "\"ranks_per_nic\": 4, \"latency_us\": 3}], "
      "\"copy_bandwidth_GBps\": 10, \"copy_latency_us\": 0.5" +
          more + "}",
      "p.json");
  EXPECT_TRUE(platform) << platform.getError();
  return *platform;
}

/// Returns the tree of some of the eight ranks.
std::string getTree(const std::vector<int64_t> &ranks) {
  Platform platform = load("");
  cost::Result<Topology> tree =
      makeTree(int64_t(ranks.size()), [&](int64_t i, int64_t j) {
        return getLevelOf(platform.machine, ranks[size_t(i)], ranks[size_t(j)]);
      });
  return tree ? tree->print() : tree.getError();
}

TEST(DispatchLinksTest, TreesOfRanks) {
  EXPECT_EQ(getTree({0, 1, 2, 3}), "4");
  EXPECT_EQ(getTree({0, 1, 2, 3, 4, 5, 6, 7}), "[4,4]");
  EXPECT_EQ(getTree({0, 2, 4, 6}), "[2,2]");
  // One rank of each node: the level between nodes is still the second.
  EXPECT_EQ(getTree({1, 5}), "[1,1]");
  EXPECT_EQ(getTree({0, 1, 7}), "[2,1]");
  EXPECT_EQ(getTree({3}), "1");
  // No level spans ranks 0 and 8.
  EXPECT_EQ(getTree({0, 1, 4, 8}), "[[2,1],[1]]");
  EXPECT_EQ(getTree({0, 4, 1, 5}),
            "expected devices of one switch side by side, got 0 and 2 at "
            "level 1 of others between them");
}

TEST(DispatchLinksTest, LinksOfLevels) {
  Platform platform = load("");
  cost::Result<DispatchLinks> made = makeDispatchLinks(
      platform.machine, *Topology::parse("[[1,1],[1]]"), cost::Bytes(1000));
  ASSERT_TRUE(made) << made.getError();
  ASSERT_EQ(made->byLevel.size(), 4u);
  EXPECT_EQ(made->byLevel[0].first, "node");
  EXPECT_EQ(made->byLevel[1].first, "net");
  EXPECT_EQ(made->byLevel[2].first, "net");
  EXPECT_EQ(made->byLevel[3].first, "local");
  EXPECT_DOUBLE_EQ(made->byLevel[0].second.betaUsPerByte, 0.5e-3);
  // Four ranks share a NIC.
  EXPECT_DOUBLE_EQ(made->byLevel[1].second.betaUsPerByte, 4e-3);
  EXPECT_DOUBLE_EQ(made->links.at(0, 1).alphaUs, 3);
  EXPECT_DOUBLE_EQ(made->links.at(0, 0).alphaUs, 0.5);
  ASSERT_EQ(made->notes.size(), 1u);
  EXPECT_EQ(made->notes[0],
            "levels above the 2 of platform p have the links of "
            "its outermost, net");
  platform.machine.copy.reset();
  made = makeDispatchLinks(platform.machine, *Topology::parse("2"),
                           cost::Bytes(1));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.getError(), "expected a platform that states "
                             "'copy_bandwidth_GBps', what a device takes for "
                             "its own share, got p");
}

TEST(DispatchLinksTest, TopologyOfPlatforms) {
  EXPECT_EQ(load("").topology, "");
  Platform tree = load(", \"topology\": [[2, 2], [2]]");
  EXPECT_EQ(tree.topology, "[[2,2],[2]]");
  Platform ring = load(", \"topology\": \"ring:8\"");
  EXPECT_EQ(ring.topology, "ring:8");
  for (const Platform *each : {&tree, &ring}) {
    cost::Result<Platform> again =
        parsePlatform(formatPlatform(*each), "again.json");
    ASSERT_TRUE(again) << again.getError();
    EXPECT_EQ(again->topology, each->topology);
  }
}

} // namespace
