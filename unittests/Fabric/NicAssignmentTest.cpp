// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/NicAssignment.h"
#include "moe/Fabric/Plan.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace moe;
using namespace moe::fabric;

namespace {

/// Draws circuits one after the other while servers have ports.
Circuits drawCircuits(std::mt19937 &random, int64_t n, int64_t degree,
                      const std::vector<int64_t> &failed = {}) {
  Circuits circuits(n);
  std::vector<int64_t> left(n, degree);
  for (int64_t i = 0; i < n && !failed.empty(); ++i)
    left[i] -= failed[i];
  for (int tries = 0; tries < 4 * n * degree; ++tries) {
    int64_t i = random() % n, j = random() % n;
    if (i == j || left[i] == 0 || left[j] == 0)
      continue;
    ++circuits.at(i, j);
    ++circuits.at(j, i);
    --left[i];
    --left[j];
  }
  return circuits;
}

/// Checks that each circuit has two working NICs of its own, on one plane if
/// required.
void expectMapped(const Circuits &circuits, const NicLayout &layout,
                  const NicMapping &mapping) {
  std::set<Nic> used(layout.failed.begin(), layout.failed.end());
  Circuits seen(circuits.getSize());
  for (auto [first, second] : mapping.links) {
    EXPECT_TRUE(used.insert(first).second);
    EXPECT_TRUE(used.insert(second).second);
    EXPECT_LT(first.server, second.server);
    for (Nic nic : {first, second}) {
      EXPECT_GE(nic.nic, 0);
      EXPECT_LT(nic.nic, layout.opticalDegree);
    }
    if (layout.hasPlanes) {
      EXPECT_EQ(first.nic, second.nic);
    }
    ++seen.at(first.server, second.server);
    ++seen.at(second.server, first.server);
  }
  EXPECT_EQ(seen, circuits);
}

TEST(NicsTest, SpreadOverNumaNodes) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    int64_t n = 2 + random() % 7;
    NicLayout layout;
    layout.numaNodes = 1 + random() % 3;
    layout.opticalDegree = layout.numaNodes * (1 + random() % 3);
    Circuits circuits = drawCircuits(random, n, layout.opticalDegree);
    auto mapping = mapNics(circuits, layout);
    ASSERT_TRUE(bool(mapping)) << mapping.getError();
    expectMapped(circuits, layout, *mapping);
    // An even spread exists because each node has equally many NICs.
    EXPECT_EQ(mapping->crowded, 0);
    std::map<std::pair<Nic, int64_t>, int64_t> onNode;
    for (auto [first, second] : mapping->links) {
      ++onNode[{{first.server, layout.getNode(first.nic)}, second.server}];
      ++onNode[{{second.server, layout.getNode(second.nic)}, first.server}];
    }
    for (auto &[key, count] : onNode) {
      int64_t all = circuits.at(key.first.server, key.second);
      EXPECT_LE(count, (all + layout.numaNodes - 1) / layout.numaNodes);
    }
  }
}

TEST(NicsTest, FailedNicsAreLeftOut) {
  std::mt19937 random(4);
  int64_t crowded = 0;
  for (int trial = 0; trial < 300; ++trial) {
    int64_t n = 2 + random() % 7;
    NicLayout layout;
    layout.opticalDegree = 6;
    layout.numaNodes = 2;
    std::set<Nic> failed;
    for (int k = random() % 5; k > 0; --k)
      failed.insert({int64_t(random() % n), int64_t(random() % 6)});
    layout.failed.assign(failed.begin(), failed.end());
    Circuits circuits = drawCircuits(random, n, 6, countFailed(layout, n));
    auto mapping = mapNics(circuits, layout);
    ASSERT_TRUE(bool(mapping)) << mapping.getError();
    expectMapped(circuits, layout, *mapping);
    crowded += mapping->crowded;
  }
  // Some server has two circuits to a peer and no NIC left on one of its nodes.
  EXPECT_GT(crowded, 0);
}

/// Returns true if circuits have an edge colouring, by exhaustive search.
bool hasColouring(const Circuits &circuits, const NicLayout &layout) {
  std::vector<std::pair<int64_t, int64_t>> edges;
  for (int64_t i = 0; i < circuits.getSize(); ++i)
    for (int64_t j = i + 1; j < circuits.getSize(); ++j)
      for (int32_t k = 0; k < circuits.at(i, j); ++k)
        edges.push_back({i, j});
  std::set<Nic> used(layout.failed.begin(), layout.failed.end());
  std::function<bool(size_t)> colour = [&](size_t at) {
    if (at == edges.size())
      return true;
    auto [i, j] = edges[at];
    for (int64_t plane = 0; plane < layout.opticalDegree; ++plane) {
      if (used.count({i, plane}) || used.count({j, plane}))
        continue;
      used.insert({i, plane});
      used.insert({j, plane});
      bool found = colour(at + 1);
      used.erase({i, plane});
      used.erase({j, plane});
      if (found)
        return true;
    }
    return false;
  };
  return colour(0);
}

TEST(NicsTest, PlanesWhereThereIsAColouring) {
  std::mt19937 random(5);
  int exist = 0, none = 0;
  for (int trial = 0; trial < 600; ++trial) {
    int64_t n = 2 + random() % 4;
    NicLayout layout;
    layout.opticalDegree = 1 + random() % 4;
    layout.hasPlanes = true;
    layout.numaNodes = 1;
    std::set<Nic> failed;
    for (int k = trial % 2 ? random() % 4 : 0; k > 0; --k)
      failed.insert(
          {int64_t(random() % n), int64_t(random() % layout.opticalDegree)});
    layout.failed.assign(failed.begin(), failed.end());
    Circuits circuits =
        drawCircuits(random, n, layout.opticalDegree, countFailed(layout, n));
    auto mapping = mapNics(circuits, layout);
    EXPECT_EQ(bool(mapping), hasColouring(circuits, layout));
    if (mapping) {
      ++exist;
      expectMapped(circuits, layout, *mapping);
    } else {
      ++none;
      EXPECT_EQ(mapping.getError().rfind("no choice of planes exists: ", 0), 0u)
          << mapping.getError();
    }
  }
  EXPECT_GT(exist, 200);
  EXPECT_GT(none, 50);
}

TEST(NicsTest, PlanesOfRegions) {
  // At the paper's size, a colouring is found or shown not to exist.
  std::mt19937 random(6);
  int found = 0;
  for (int64_t n : {8, 16, 64}) {
    NicLayout layout;
    layout.opticalDegree = 6;
    layout.hasPlanes = true;
    layout.numaNodes = 2;
    for (int trial = 0; trial < 20; ++trial) {
      Circuits circuits = drawCircuits(random, n, 6);
      auto mapping = mapNics(circuits, layout);
      if (!mapping) {
        // For more servers, not all sets are examined.
        if (n > 16)
          continue;
        EXPECT_EQ(mapping.getError().rfind("no choice of planes exists: ", 0),
                  0u)
            << n << ": " << mapping.getError();
        continue;
      }
      ++found;
      expectMapped(circuits, layout, *mapping);
    }
  }
  EXPECT_GE(found, 36);
}

TEST(NicsTest, PlanesByHand) {
  // Two circuits of a triangle take both planes of one server, so the third
  // circuit has no plane left.
  Circuits triangle(3);
  for (int64_t i = 0; i < 3; ++i)
    triangle.at(i, (i + 1) % 3) = triangle.at((i + 1) % 3, i) = 1;
  NicLayout layout{2, 1, true};
  EXPECT_EQ(mapNics(triangle, layout).getError(),
            "no choice of planes exists: servers 0, 1, 2 have 3 circuits among "
            "themselves, and planes carry 2 between so many");
  layout.opticalDegree = 3;
  EXPECT_TRUE(bool(mapNics(triangle, layout)));
  // Algorithm 1's circuits for uniform demand.
  Demand uniform(8, 1);
  Circuits k7 = planGreedily(uniform, {6, 2, Routing::Split});
  EXPECT_EQ(mapNics(k7, {6, 2, true}).getError(),
            "no choice of planes exists: servers 0, 1, 2, 3, 4, 5, 6 have 21 "
            "circuits among themselves, and planes carry 18 between so many");
  EXPECT_TRUE(bool(mapNics(k7, {6, 2, false})));
}

TEST(NicsTest, Errors) {
  Circuits two(2);
  two.at(0, 1) = two.at(1, 0) = 2;
  auto getError = [&](const NicLayout &layout) {
    return mapNics(two, layout).getError();
  };
  EXPECT_EQ(getError({2, 3}), "expected 1 to 2 NUMA nodes for 2 NICs, got 3");
  EXPECT_EQ(getError({65, 1, true}),
            "expected at most 64 NICs with a switch each, got 65");
  EXPECT_EQ(getError({2, 1, false, {{2, 0}}}),
            "expected failed NICs of servers in [0, 2), got server 2");
  EXPECT_EQ(getError({2, 1, false, {{1, 2}}}),
            "expected failed NICs in [0, 2), got 2 of server 1");
  EXPECT_EQ(getError({2, 1, false, {{1, 0}, {1, 0}}}),
            "expected each failed NIC once, got NIC 0 of server 1 twice");
  EXPECT_EQ(getError({2, 1, false, {{1, 0}}}),
            "expected at most 1 circuits at server 1, the optical NICs of it "
            "that work, got 2");
  two.at(0, 1) = 1;
  EXPECT_EQ(getError({2, 1}),
            "expected circuits that are symmetric, at least 0 and none on the "
            "diagonal, got 1 at [0, 1]");
}

} // namespace
