// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/Circuits.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace moe;
using namespace moe::fabric;

namespace {

/// Returns true if an exchange with split routing ends by `time`, by
/// definition.
bool endsBy(const Demand &demand, const Circuits &circuits, double eps,
            double time) {
  int64_t n = demand.getSize();
  std::vector<double> sent(n), received(n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i != j) {
        double left = std::max(0.0, demand.at(i, j) - circuits.at(i, j) * time);
        sent[i] += left;
        received[j] += left;
      }
  double most = std::max(*std::max_element(sent.begin(), sent.end()),
                         *std::max_element(received.begin(), received.end()));
  return most <= eps * time * (1 + 1e-12);
}

TEST(CircuitsTest, SplitTimeByDefinition) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    int64_t n = 2 + random() % 7;
    Demand demand(n);
    Circuits circuits(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        demand.at(i, j) = random() % 3 ? random() % 1000 : 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j)
        circuits.at(i, j) = circuits.at(j, i) = random() % 3;
    Ports ports{100, 1 + int64_t(random() % 3), Routing::Split};
    double time = getTime(demand, circuits, ports);
    auto eps = double(ports.epsNics);
    EXPECT_TRUE(endsBy(demand, circuits, eps, time * (1 + 1e-9)));
    if (time > 0) {
      EXPECT_FALSE(endsBy(demand, circuits, eps, time * (1 - 1e-6)));
    }
  }
}

TEST(CircuitsTest, ByHand) {
  Demand demand(3);
  demand.at(0, 1) = 12;
  demand.at(1, 0) = 4;
  demand.at(0, 2) = 6;
  // A server's demand for itself must not matter.
  demand.at(2, 2) = 1000;
  Circuits circuits(3);
  circuits.at(0, 1) = circuits.at(1, 0) = 2;
  // 12 over two circuits, 6 over one EPS NIC.
  Ports ports{2, 1, Routing::Exclusive};
  EXPECT_DOUBLE_EQ(getTime(demand, circuits, ports), 6);
  ports.routing = Routing::Split;
  EXPECT_DOUBLE_EQ(getTime(demand, circuits, ports), 6);
  // 18 over two circuits and two NICs: the circuits carry 9, EPS 3 + 6.
  ports.epsNics = 2;
  EXPECT_DOUBLE_EQ(getTime(demand, circuits, ports), 4.5);
  ports.routing = Routing::Exclusive;
  EXPECT_DOUBLE_EQ(getTime(demand, circuits, ports), 6);
  EXPECT_DOUBLE_EQ(getPortBound(demand, ports), 4.5);
  // Some demand has no path.
  ports = {2, 0, Routing::Split};
  EXPECT_TRUE(std::isinf(getTime(demand, circuits, ports)));
  EXPECT_DOUBLE_EQ(getServerTime(demand, circuits, ports, 1), 6);
  EXPECT_EQ(getTime(Demand(3), Circuits(3), {0, 0, Routing::Split}), 0);
  EXPECT_TRUE(std::isinf(getPortBound(demand, {0, 0, Routing::Split})));
}

TEST(CircuitsTest, Errors) {
  Demand demand(2);
  Ports ports{1, 0, Routing::Split};
  EXPECT_EQ(checkDemand(demand, ports), "");
  demand.at(0, 1) = -1;
  EXPECT_EQ(checkDemand(demand, ports),
            "expected a finite demand of at least 0 at [0, 1], got -1.000000");
  demand.at(0, 1) = 1;
  EXPECT_NE(checkDemand(demand, {-1, 0, Routing::Split}).find("optical ports"),
            std::string::npos);
  Circuits circuits(2);
  EXPECT_EQ(checkCircuits(circuits, demand, ports), "");
  circuits.at(0, 1) = 1;
  EXPECT_EQ(checkCircuits(circuits, demand, ports),
            "expected as many circuits at [0, 1] as at [1, 0], got 1 and 0");
  circuits.at(0, 1) = circuits.at(1, 0) = 2;
  EXPECT_EQ(checkCircuits(circuits, demand, ports),
            "expected at most 1 circuits at server 0, got 2");
  circuits.at(0, 0) = 1;
  EXPECT_EQ(checkCircuits(circuits, demand, ports),
            "expected no circuit at [0, 0], got 1");
  EXPECT_EQ(checkCircuits(Circuits(3), demand, ports),
            "expected circuits of 2 servers, got such of 3");
}

} // namespace
