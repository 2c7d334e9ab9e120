// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "moe/Fabric/Prices.h"
#include <gtest/gtest.h>

using namespace moe;
using namespace moe::fabric;

namespace {

double getServerPrice(PriceOptions options, const Prices &prices) {
  auto price = getFabricPrice(options, prices);
  EXPECT_TRUE(bool(price)) << (price ? "" : price.getError());
  return price ? price->perServer : 0;
}

// SPEC MF-13, MF-16: Table 4 of mFabric, and its consequences.
TEST(PricesTest, PublishedPrices) {
  const struct {
    Prices prices;
    double tree, mfabric, topoopt;
  } rates[] = {{{659, 99, 187, 520, 100}, 17504, 12044, 6864},
               {{1079, 239, 374, 520, 100}, 35064, 19794, 11344},
               {{1499, 659, 1090, 520, 100}, 87224, 37874, 18064},
               {{2248, 1399, 1400, 520, 100}, 141136, 60286, 29976}};
  for (const auto &rate : rates) {
    PriceOptions options;
    EXPECT_EQ(getServerPrice(options, rate.prices), rate.tree);
    options.kind = FabricKind::Rail;
    EXPECT_EQ(getServerPrice(options, rate.prices), rate.tree);
    options.kind = FabricKind::MFabric;
    EXPECT_EQ(getServerPrice(options, rate.prices), rate.mfabric);
    options.kind = FabricKind::TopoOpt;
    EXPECT_EQ(getServerPrice(options, rate.prices), rate.topoopt);
  }
}

TEST(PricesTest, CablesTiersAndFibres) {
  Prices prices{1499, 659, 1090, 520, 100};
  for (double cable : {0., 300.}) {
    PriceOptions tree, fabric;
    fabric.kind = FabricKind::MFabric;
    tree.hostCable = fabric.hostCable = cable;
    double ratio =
        getServerPrice(tree, prices) / getServerPrice(fabric, prices);
    EXPECT_GT(ratio, 2.17);
    EXPECT_LT(ratio, 2.22);
  }
  // One tier: one port and two transceivers per NIC; half the rest if leaves
  // are twice oversubscribed.
  PriceOptions options;
  options.tiers = 1;
  EXPECT_EQ(getServerPrice(options, prices), 8 * (1499 + 1090 + 2 * 659));
  options.tiers = 3;
  options.oversubscription = 2;
  EXPECT_EQ(getServerPrice(options, prices), 8 * (1499 + 3 * 1090 + 4 * 659));
  options.oversubscription = 1;
  double without = getServerPrice(options, prices);
  prices.fibre = 10;
  EXPECT_EQ(getServerPrice(options, prices), without + 8 * 3 * 10);
  options.servers = 100;
  EXPECT_EQ(getFabricPrice(options, prices)->total, 100 * (without + 240));
}

TEST(PricesTest, Errors) {
  PriceOptions options;
  options.kind = FabricKind::Torus;
  EXPECT_EQ(getFabricPrice(options, {}).getError(),
            "expected fat-tree, rail, topoopt or mfabric, for which there is a "
            "rule, got torus");
  options.kind = FabricKind::FatTree;
  options.tiers = 4;
  EXPECT_EQ(getFabricPrice(options, {}).getError(),
            "tiers: expected an integer in [1, 3], got 4");
}

} // namespace
