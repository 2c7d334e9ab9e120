// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests optical switches of a job.

#include "OcsFixture.h"
#include <barrier>
#include <functional>
#include <thread>

namespace {

class OcsJobTest : public OcsTest {
protected:
  /// Runs `body` on the ranks of a host job; rank 1 controls the switch
  /// 'region'.
  void runJob(
      const char *address, int32_t ranks, int64_t deadlineUs,
      const std::function<void(int32_t, moert_context *, moert_ocs *)> &body) {
    auto runRank = [&](int32_t rank) {
      moert_config config;
      ASSERT_EQ(moert_config_default(&config), MOERT_OK);
      config.rank = rank;
      config.world_size = ranks;
      config.address = address;
      config.deadline_us = deadlineUs;
      moert_context *context;
      ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
      if (rank == 1) {
        ASSERT_EQ(moert_ocs_attach(context, "region", ocs), MOERT_OK);
      }
      moert_ocs *found = nullptr;
      ASSERT_EQ(moert_ocs_find(context, "region", 1, &found), MOERT_OK);
      body(rank, context, found);
      (void)moert_finalize(context, MOERT_DEADLINE_DEFAULT);
    };
    std::vector<std::thread> threads;
    for (int32_t rank = 0; rank < ranks; ++rank)
      threads.emplace_back(runRank, rank);
    for (std::thread &thread : threads)
      thread.join();
  }
};

/// Leaves the barrier, so that others do not wait for this rank.
struct Leaves {
  std::barrier<> &barrier;
  ~Leaves() { barrier.arrive_and_drop(); }
};

} // namespace

TEST_F(OcsJobTest, RanksFindTheSwitchThatOneControls) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  auto runRank = [&](int32_t rank) {
    moert_config config;
    ASSERT_EQ(moert_config_default(&config), MOERT_OK);
    config.rank = rank;
    config.world_size = 2;
    config.address = "ocs-ranks";
    moert_context *context;
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
    moert_ocs *found = nullptr;
    if (rank == 1) {
      EXPECT_EQ(moert_ocs_find(context, "region", 1, &found),
                MOERT_UNAVAILABLE);
      EXPECT_NE(std::string(moert_last_error(context))
                    .find("attached as 'region', found none"),
                std::string::npos)
          << moert_last_error(context);
      ASSERT_EQ(moert_ocs_attach(context, "region", ocs), MOERT_OK);
    }
    EXPECT_EQ(moert_ocs_find(context, "region", 2, &found),
              MOERT_INVALID_ARGUMENT);
    ASSERT_EQ(moert_ocs_find(context, "region", 1, &found), MOERT_OK);
    int32_t count = -1;
    EXPECT_EQ(moert_ocs_circuits(found, nullptr, 0, &count),
              rank == 1 ? MOERT_OK : MOERT_INVALID_ARGUMENT);
    moert_ocs_circuit circuit = {1, 2};
    moert_ocs_change *change;
    ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change), MOERT_OK);
    ASSERT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), MOERT_OK);
    moert_ocs_result result;
    ASSERT_EQ(moert_ocs_change_result(change, &result), MOERT_OK);
    EXPECT_EQ(result.added, 1);
    int done = 0;
    ASSERT_EQ(moert_ocs_query(change, &done), MOERT_OK);
    EXPECT_EQ(done, 1);
    ASSERT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
    if (rank == 1) {
      ASSERT_EQ(moert_ocs_attach(context, "region", nullptr), MOERT_OK);
      EXPECT_EQ(moert_ocs_find(context, "region", 1, &found),
                MOERT_UNAVAILABLE);
    }
    EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  };
  std::thread other(runRank, 1);
  runRank(0);
  other.join();
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
}

TEST_F(OcsJobTest, AllRanksWaitForLinks) {
  serve({});
  // Links may take longer than the deadline of the job.
  constexpr int64_t kJobUs = 2000000;
  moert_ocs_config config = makeConfig();
  config.link_up_us = 3000000;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  // Ranks must start their waits together.
  std::barrier<> together(3);
  device->holdAnswers(true);
  runJob("ocs-links", 3, kJobUs,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           Leaves leaves{together};
           auto start = Clock::now();
           moert_ocs_circuit circuit = {1, 2};
           moert_ocs_change *change;
           ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change),
                     MOERT_OK);
           // moert_ocs_configure does not wait; the switch has not answered
           // yet.
           int done = -1;
           EXPECT_EQ(moert_ocs_query(change, &done), MOERT_OK);
           EXPECT_EQ(done, 0);
           moert_ocs_result result;
           EXPECT_EQ(moert_ocs_change_result(change, &result),
                     MOERT_INVALID_ARGUMENT);
           // A wait that expires does so on all ranks, and can be repeated.
           together.arrive_and_wait();
           EXPECT_EQ(moert_ocs_await(change, 1000), MOERT_DEADLINE_EXCEEDED);
           if (rank == 1)
             device->holdAnswers(false);
           together.arrive_and_wait();
           ASSERT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), MOERT_OK)
               << moert_last_error(context);
           EXPECT_GE(getMs(start), 3000);
           EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
           ASSERT_EQ(moert_ocs_change_result(change, &result), MOERT_OK);
           EXPECT_EQ(result.added, 1);
           EXPECT_GE(result.elapsed_us, 3000000);
           EXPECT_EQ(moert_ocs_await(change, 0), MOERT_OK);
           EXPECT_EQ(moert_ocs_change_destroy(change), MOERT_OK);
         });
}

TEST_F(OcsJobTest, AllRanksHearWhatTheSwitchDenied) {
  serve({});
  moert_ocs_config config = makeConfig();
  int32_t ports[] = {1, 2};
  config.ports = ports;
  config.num_ports = 2;
  config.all_ports = 0;
  ASSERT_EQ(open(config), MOERT_OK) << getError();
  device->setFaults({{SwitchFault::Kind::Deny, "ENT", 1}});
  auto await = [](int32_t rank, moert_context *context, moert_ocs *found,
                  moert_ocs_circuit circuit, moert_status expected,
                  const char *words) {
    moert_ocs_change *change;
    ASSERT_EQ(moert_ocs_configure(found, &circuit, 1, &change), MOERT_OK);
    EXPECT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT), expected);
    std::string text = moert_last_error(context);
    EXPECT_NE(text.find(words), std::string::npos) << text;
    if (expected != MOERT_OK) {
      EXPECT_EQ(
          text.find("rank 1, which controls the optical switch 'region'") ==
              std::string::npos,
          rank == 1)
          << text;
    }
  };
  runJob("ocs-denied", 3, MOERT_DEADLINE_DEFAULT,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           await(rank, context, found, {1, 2}, MOERT_BACKEND_ERROR,
                 "it denies a command; sent 'ENT-PATCH::1,2:");
           // Only the controlling rank can detect this error.
           await(rank, context, found, {1, 3}, MOERT_INVALID_ARGUMENT,
                 "expected ports that the configuration lists, got 3");
           await(rank, context, found, {1, 2}, MOERT_OK, "");
         });
  EXPECT_EQ(device->getCircuits(), (Map{{1, 2}}));
}

TEST_F(OcsJobTest, RanksThatDoNotComeAreNamed) {
  serve({});
  ASSERT_EQ(open(makeConfig()), MOERT_OK) << getError();
  runJob("ocs-absent", 3, MOERT_DEADLINE_DEFAULT,
         [&](int32_t rank, moert_context *context, moert_ocs *found) {
           if (rank == 1)
             return;
           moert_ocs_change *change;
           ASSERT_EQ(moert_ocs_configure(found, nullptr, 0, &change), MOERT_OK);
           EXPECT_EQ(moert_ocs_await(change, MOERT_DEADLINE_DEFAULT),
                     MOERT_ABORTED);
           std::string text = moert_last_error(context);
           EXPECT_NE(text.find("the wait for change #0 of the optical switch "
                               "'region'"),
                     std::string::npos)
               << text;
           EXPECT_NE(text.find("rank 1 has left"), std::string::npos) << text;
         });
}
