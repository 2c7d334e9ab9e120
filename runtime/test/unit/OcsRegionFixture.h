// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks with circuits that follow demand.

#ifndef MOERT_TEST_OCSREGIONFIXTURE_H
#define MOERT_TEST_OCSREGIONFIXTURE_H

#include "OcsFixture.h"
#include <functional>
#include <thread>

/// 4 ranks, each with a server of 2 optical NICs and one packet NIC; rank 1
/// controls the switch. NIC k of server i is at port 1 + 2 * i + k.
class OcsRegionTest : public OcsTest {
protected:
  static constexpr int32_t kServers = 4;
  using Matrix = std::vector<int32_t>;

  /// The test code of each rank with its region.
  using Body =
      std::function<void(int32_t, moert_context *, moert_ocs_region *)>;

  void runJob(
      const char *address, const Body &body,
      const std::function<void(moert_ocs_region_config &)> &change =
          [](moert_ocs_region_config &) {}) {
    auto runRank = [&](int32_t rank) {
      moert_config config;
      ASSERT_EQ(moert_config_default(&config), MOERT_OK);
      config.rank = rank;
      config.world_size = kServers;
      config.address = address;
      moert_context *context;
      ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
      if (rank == 1 && ocs) {
        ASSERT_EQ(moert_ocs_attach(context, "region", ocs), MOERT_OK);
      }
      moert_ocs_region_config regionConfig;
      ASSERT_EQ(moert_ocs_region_config_default(&regionConfig), MOERT_OK);
      int32_t ports[] = {1, 2, 3, 4, 5, 6, 7, 8};
      regionConfig.name = "region";
      regionConfig.controller = 1;
      regionConfig.num_servers = kServers;
      regionConfig.server = rank;
      regionConfig.ports = ports;
      regionConfig.optical_degree = 2;
      regionConfig.eps_nics = 1;
      regionConfig.nic_bytes_per_us = 1000;
      change(regionConfig);
      moert_ocs_region *region = nullptr;
      ASSERT_EQ(moert_ocs_region_create(context, &regionConfig, &region),
                MOERT_OK)
          << moert_last_error(context);
      body(rank, context, region);
      EXPECT_EQ(moert_ocs_region_destroy(region), MOERT_OK);
      (void)moert_finalize(context, MOERT_DEADLINE_DEFAULT);
    };
    std::vector<std::thread> threads;
    for (int32_t rank = 0; rank < kServers; ++rank)
      threads.emplace_back(runRank, rank);
    for (std::thread &thread : threads)
      thread.join();
  }

  /// Decides and settles. Servers 0 and 1, and 2 and 3, have `bytes` for each
  /// other; with `isCrossed` 0 and 2, and 1 and 3.
  static moert_ocs_decision follow(int32_t rank, moert_ocs_region *region,
                                   double bytes, bool isCrossed,
                                   Matrix &circuits, double exchanges = 4,
                                   double slackUs = 0) {
    double row[kServers] = {};
    row[rank ^ (isCrossed ? 2 : 1)] = bytes;
    moert_ocs_decision decision = {};
    EXPECT_EQ(moert_ocs_decide(region, row, exchanges, slackUs, &decision),
              MOERT_OK)
        << moert_last_error(nullptr);
    circuits.assign(kServers * kServers, -1);
    EXPECT_EQ(moert_ocs_settle(region, circuits.data(), &decision), MOERT_OK)
        << moert_last_error(nullptr);
    return decision;
  }

  const Matrix pairs = {0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0};
  const Matrix crossed = {0, 0, 2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 2, 0, 0};
  const Matrix none = Matrix(kServers * kServers);
  const Map pairMap = {{1, 3}, {2, 4}, {5, 7}, {6, 8}};
};

#endif // MOERT_TEST_OCSREGIONFIXTURE_H
