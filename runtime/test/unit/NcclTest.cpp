//===- NcclTest.cpp - The host side of the backend 'nccl' -------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcclSpy.h"
#include "core/Backend.h"
#include <cstring>

using namespace moert;
using namespace moert::spy;

namespace {

class NcclTest : public Spy {
protected:
  void SetUp() override {
    Spy::SetUp();
    version = library().version;
  }
  void TearDown() override {
    library().version = version;
    Spy::TearDown();
  }
  /// The ordinal that a rank takes where it sees `count` devices.
  int getDevice(moert_config config, int count) {
    int taken = -1;
    Hook<&cuda::Driver::DeviceGetCount>::install(driver(), "cuDeviceGetCount");
    Hook<&cuda::Driver::DeviceGetCount>::answer = [=](int *found) {
      *found = count;
      return cuda::kSuccess;
    };
    Hook<&cuda::Driver::DeviceGet>::answer = [&](cuda::Device *device,
                                                 int ordinal) {
      taken = ordinal;
      return Hook<&cuda::Driver::DeviceGet>::original(device, ordinal);
    };
    config.deadline_us = 50000;
    moert_context *context = nullptr;
    // Nobody else comes; by then it has its device.
    EXPECT_NE(moert_init(&config, &context), MOERT_OK);
    Hook<&cuda::Driver::DeviceGetCount>::answer = nullptr;
    Hook<&cuda::Driver::DeviceGet>::answer = nullptr;
    return taken;
  }

  int version = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

TEST_F(NcclTest, TakesTheDeviceOfItsLocalRank) {
  moert_config config = getConfig();
  config.world_size = 8;
  config.rank = 5;
  EXPECT_EQ(getDevice(config, 4), 1) << "nothing else is known";
  config.local_rank = 3;
  EXPECT_EQ(getDevice(config, 4), 3);
  EXPECT_EQ(getDevice(config, 1), 0) << "as CUDA_VISIBLE_DEVICES lets it";
  EXPECT_EQ(getDevice(config, 2), 1) << "two ranks share each device";
  config.struct_size = 72;
  EXPECT_EQ(getDevice(config, 4), 1) << "interface 0.7 had no local rank";
  config.struct_size = sizeof(config);
  config.device = 2;
  EXPECT_EQ(getDevice(config, 4), 2);
  config.device = 4;
  EXPECT_EQ(getDevice(config, 4), -1);
  EXPECT_STREQ(moert_last_error(nullptr),
               "moert_init: rank 5: expected a device in [0, 4), got 4 (rank "
               "5, local rank 3)");
}

TEST_F(NcclTest, HasADeadlineForJobsOnDevices) {
  moert_config config = getConfig();
  config.deadline_us = MOERT_DEADLINE_DEFAULT;
  runRanks(1, config, [](moert_context *context) {
    EXPECT_EQ(context->deadlineUs, 600000000);
  });
}

TEST_F(NcclTest, LimitsTheBlocksOfCollectives) {
  nccl::Config given;
  Hook<&nccl::Library::CommInitRankConfig>::answer =
      [&](nccl::Comm *comm, int size, nccl::UniqueId id, int rank,
          nccl::Config *config) {
        given = *config;
        return Hook<&nccl::Library::CommInitRankConfig>::original(
            comm, size, id, rank, config);
      };
  moert_config config = getConfig();
  config.min_ctas = 2;
  config.max_ctas = 16;
  auto makeComm = [](moert_context *context) {
    moert_stream *stream = nullptr;
    moert_comm *comm = nullptr;
    int32_t self = 0;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(
        moert_comm_create(stream, &self, 1, 0, MOERT_DEADLINE_DEFAULT, &comm),
        MOERT_OK);
  };
  runRanks(1, config, makeComm);
  EXPECT_EQ(given.minCTAs, 2);
  EXPECT_EQ(given.maxCTAs, 16);
  EXPECT_EQ(given.cgaClusterSize, nccl::Config::kUndefined);
  library().version = 21400;
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "need NCCL 2.17 or later, got 2.14 in "),
            nullptr)
      << moert_last_error(nullptr);
  runRanks(1, getConfig(), makeComm);
  EXPECT_EQ(given.version, 21400u) << "what that version knows";
}
