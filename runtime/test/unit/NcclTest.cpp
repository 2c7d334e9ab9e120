// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the host side of the backend 'nccl'.

#include "NcclSpy.h"
#include "Ranks.h"
#include "core/Backend.h"
#include <cstring>
#include <utility>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

/// A stream of one rank, with a communicator of all ranks on it.
struct Lane {
  Lane(moert_context *context, const char *name, uint64_t key = 0)
      : context(context) {
    std::vector<int32_t> ranks;
    for (int32_t rank = 0; rank < moert_world_size(context); ++rank)
      ranks.push_back(rank);
    EXPECT_EQ(moert_stream_create(context, name, 0, &stream), MOERT_OK);
    EXPECT_EQ(moert_comm_create(stream, ranks.data(),
                                static_cast<int32_t>(ranks.size()), key,
                                MOERT_DEADLINE_DEFAULT, &comm),
              MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(moert_buffer_create(context, 1024, MOERT_MEMORY_DEVICE, &buffer),
              MOERT_OK);
  }
  moert_status reduce(moert_type type, int64_t count) {
    void *data = moert_buffer_data(buffer);
    return moert_all_reduce(comm, data, data, count, type, MOERT_SUM);
  }
  moert_status synchronize() {
    return moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT);
  }

  moert_context *context;
  moert_stream *stream = nullptr;
  moert_comm *comm = nullptr;
  moert_buffer *buffer = nullptr;
};

void sleepMs(int64_t ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// Returns the answer of a hook, for tests that replace it.
template <auto Member> auto &answer() { return Hook<Member>::answer; }
template <auto Member, typename... Args> auto original(Args... args) {
  return Hook<Member>::original(args...);
}

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
  /// Returns the ordinal of the device that the rank uses if it sees `count`
  /// devices.
  int getDevice(moert_config config, int count) {
    int taken = -1;
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
    // No other rank joins; by then, this rank has chosen its device.
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
  nccl::Config first, second;
  answer<&nccl::Library::CommInitRankConfig>() =
      [&](nccl::Comm *comm, int size, nccl::UniqueId id, int rank,
          nccl::Config *config) {
        first = *config;
        return original<&nccl::Library::CommInitRankConfig>(comm, size, id,
                                                            rank, config);
      };
  answer<&nccl::Library::CommSplit>() = [&](nccl::Comm comm, int color, int key,
                                            nccl::Comm *made,
                                            nccl::Config *config) {
    second = *config;
    return original<&nccl::Library::CommSplit>(comm, color, key, made, config);
  };
  moert_config config = getConfig();
  config.min_ctas = 2;
  config.max_ctas = 16;
  runRanks(1, config, [](moert_context *context) { Lane lane(context, "s"); });
  for (const nccl::Config &given : {first, second}) {
    EXPECT_EQ(given.minCTAs, 2);
    EXPECT_EQ(given.maxCTAs, 16);
    EXPECT_EQ(given.cgaClusterSize, nccl::Config::kUndefined);
  }
  EXPECT_EQ(first.blocking, 0);
  EXPECT_EQ(second.blocking, 1);
  library().version = 21400;
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "need NCCL 2.17 or later, got 2.14 in "),
            nullptr)
      << moert_last_error(nullptr);
  runRanks(1, getConfig(),
           [](moert_context *context) { Lane lane(context, "s"); });
  EXPECT_EQ(first.version, 21400u) << "what that version knows";
}

/// NCCL before 2.18 cannot create a blocking communicator from a non-blocking
/// one.
TEST_F(NcclTest, GoesOnWithoutBlockingWhereItMust) {
  auto split = std::exchange(library().CommSplit, nullptr);
  runRanks(2, getConfig(), [](moert_context *context) {
    Lane lane(context, "s");
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(lane.reduce(MOERT_F32, 16), MOERT_OK);
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
  });
  library().CommSplit = split;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The driver is older than the kernels' PTX, or the device is another one.
TEST_F(NcclTest, GoesOnWithoutKernelsThatCannotBeLoaded) {
  Hook<&cuda::Driver::ModuleLoadData>::answer =
      [](cuda::Module *, const void *) { return 222; };
  char text[512];
  EXPECT_EQ(moert_backend_info("nccl", text, sizeof(text)), MOERT_OK);
  const char *words = "the device kernels of this build cannot be loaded: CUDA "
                      "error 222";
  EXPECT_NE(std::strstr(text, words), nullptr) << text;
  runRanks(1, getConfig(), [&](moert_context *context) {
    moert_stream *stream = nullptr;
    moert_buffer *buffer = nullptr;
    ASSERT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
    ASSERT_EQ(moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &buffer),
              MOERT_OK);
    EXPECT_EQ(moert_delay(stream, 1), MOERT_UNAVAILABLE);
    EXPECT_NE(std::strstr(moert_last_error(context), words), nullptr)
        << moert_last_error(context);
    EXPECT_EQ(moert_fill_zero(stream, moert_buffer_data(buffer), 16, MOERT_F32),
              MOERT_OK);
    EXPECT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT),
              MOERT_OK);
  });
}

TEST_F(NcclTest, KernelsShareTheMemoryOfTheirStream) {
  runRanks(2, getConfig(), [](moert_context *context) {
    Lane lane(context, "s");
    // All ranks count into one list.
    Counting counting;
    for (int64_t count : {64, 512, 1, 40, 300, 511})
      EXPECT_EQ(lane.reduce(MOERT_I16, count), MOERT_OK);
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
  });
  auto calls = Calls::get().take();
  EXPECT_EQ(calls["cuMemAllocAsync"], 4) << "two sizes on two ranks";
  EXPECT_EQ(calls["cuMemFreeAsync"], 2);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Counts the calls of a collective on the calling thread, after similar
/// collectives have ended.
TEST_F(NcclTest, CallsLittle) {
  constexpr int kTimes = 10;
  std::atomic<int> numRunning{0};
  answer<&cuda::Driver::EventQuery>() = [&](cuda::Event event) {
    return numRunning ? cuda::kNotReady
                      : original<&cuda::Driver::EventQuery>(event);
  };
  runRanks(2, getConfig(), [&](moert_context *context) {
    Lane lane(context, "s");
    auto reduceAll = [&] {
      for (int i = 0; i < kTimes; ++i)
        EXPECT_EQ(lane.reduce(MOERT_F32, 16), MOERT_OK);
    };
    // None ends before all have been called: each makes its events.
    ++numRunning;
    reduceAll();
    --numRunning;
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
    // The watcher thread releases events 20 times per second, less often under
    // load.
    sleepMs(2000);
    {
      Counting counting;
      reduceAll();
    }
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
  });
  std::map<std::string, int> calls = Calls::get().take(), expected;
  for (const auto &[name, each] : {std::pair("cuCtxGetCurrent", 2),
                                   {"cuCtxSetCurrent", 2},
                                   {"cuStreamIsCapturing", 1},
                                   {"cuEventRecord", 2},
                                   {"ncclAllReduce", 1}})
    expected[name] = each * 2 * kTimes;
  EXPECT_EQ(calls, expected);
}

TEST_F(NcclTest, LooksAtLittleAtATime) {
  std::atomic<int> queries{0}, ticks{0};
  answer<&cuda::Driver::EventQuery>() = [&](cuda::Event event) {
    ++queries;
    return original<&cuda::Driver::EventQuery>(event);
  };
  answer<&nccl::Library::CommGetAsyncError>() = [&](nccl::Comm comm,
                                                    nccl::Result *result) {
    ++ticks;
    return original<&nccl::Library::CommGetAsyncError>(comm, result);
  };
  runRanks(1, getConfig(), [&](moert_context *context) {
    Lane lane(context, "s");
    EXPECT_EQ(moert_delay(lane.stream, 200000), MOERT_OK);
    for (int i = 0; i < 300; ++i)
      EXPECT_EQ(moert_barrier(lane.comm), MOERT_OK);
    queries = ticks = 0;
    sleepMs(150);
    EXPECT_LE(queries, 6 * (ticks + 1));
    EXPECT_GT(queries, 0);
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
  });
}

TEST_F(NcclTest, EventsHaveNoTimeUnlessAskedFor) {
  std::mutex mutex;
  std::vector<unsigned> flags;
  answer<&cuda::Driver::EventCreate>() = [&](cuda::Event *event,
                                             unsigned given) {
    std::lock_guard<std::mutex> lock(mutex);
    flags.push_back(given);
    return original<&cuda::Driver::EventCreate>(event, given);
  };
  runRanks(1, getConfig(), [&](moert_context *context) {
    Lane lane(context, "s");
    EXPECT_EQ(moert_barrier(lane.comm), MOERT_OK);
    moert_event *event = nullptr;
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(moert_event_create(context, &event), MOERT_OK);
      EXPECT_EQ(moert_event_record(event, lane.stream), MOERT_OK);
      EXPECT_EQ(moert_event_synchronize(event, MOERT_DEADLINE_DEFAULT), MOERT_OK);
      EXPECT_EQ(moert_event_destroy(event), MOERT_OK);
    }
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_LE(flags.size(), 4u) << "they are used again";
    for (unsigned given : flags)
      EXPECT_EQ(given, cuda::kEventWithoutTime);
    flags.clear();
  });
  runRanks(1, getConfig(), [&](moert_context *context) {
    moert_event *event = nullptr;
    EXPECT_EQ(moert_event_create_timed(context, &event), MOERT_OK);
  });
  EXPECT_EQ(flags, std::vector<unsigned>{0});
}

/// A caller captures this stream or another one. Querying an event would
/// invalidate the capture.
TEST_F(NcclTest, LeavesCapturesAlone) {
  std::atomic<bool> isCaptured{false};
  std::atomic<int> records{0};
  answer<&cuda::Driver::StreamIsCapturing>() = [&](cuda::Stream, int *status) {
    *status = isCaptured ? 1 : 0;
    return cuda::kSuccess;
  };
  answer<&cuda::Driver::EventRecord>() = [&](cuda::Event event,
                                             cuda::Stream stream) {
    ++records;
    return original<&cuda::Driver::EventRecord>(event, stream);
  };
  static thread_local bool isRelaxed;
  isRelaxed = false;
  answer<&cuda::Driver::ThreadExchangeStreamCaptureMode>() = [&](int *wanted) {
    isRelaxed = *wanted == 2;
    *wanted = 0;
    return cuda::kSuccess;
  };
  // Queries are only allowed on threads with a relaxed mode, or on threads that
  // wait.
  std::atomic<int> bad{0};
  answer<&cuda::Driver::EventQuery>() = [&](cuda::Event event) {
    bad += !isRelaxed;
    return original<&cuda::Driver::EventQuery>(event);
  };
  runRanks(1, getConfig(), [&](moert_context *context) {
    Lane lane(context, "s");
    EXPECT_EQ(moert_barrier(lane.comm), MOERT_OK);
    EXPECT_EQ(records, 2);
    isCaptured = true;
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(moert_barrier(lane.comm), MOERT_OK);
    EXPECT_EQ(records, 2);
    sleepMs(50);
    isCaptured = false;
    EXPECT_EQ(moert_barrier(lane.comm), MOERT_OK);
    EXPECT_EQ(lane.synchronize(), MOERT_OK);
    EXPECT_EQ(records, 4);
  });
  EXPECT_EQ(bad, 0);
  // Destroying a communicator must not invalidate it either, regardless of the
  // caller.
  std::atomic<int> ends{0};
  answer<&nccl::Library::CommFinalize>() = [&](nccl::Comm comm) {
    bad += !isRelaxed;
    ++ends;
    return original<&nccl::Library::CommFinalize>(comm);
  };
  answer<&nccl::Library::CommAbort>() = [&](nccl::Comm comm) {
    bad += !isRelaxed;
    ++ends;
    return original<&nccl::Library::CommAbort>(comm);
  };
  for (bool isWell : {true, false})
    runRanks(
        1, getConfig(),
        [&](moert_context *context) {
          Lane lane(context, "s");
          EXPECT_TRUE(isWell || moert_abort(context, "enough") == MOERT_OK);
        },
        isWell);
  EXPECT_GE(ends, 3);
  EXPECT_EQ(bad, 0);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Freeing one communicator waits for the device, and so for the kernel of
/// another communicator, which waits for a missing rank.
TEST_F(NcclTest, AbortsAllCommunicatorsAtOnce) {
  moert_config config = getConfig();
  config.deadline_us = 2000000;
  std::atomic<int> aborted{0};
  answer<&nccl::Library::CommAbort>() = [&](nccl::Comm comm) {
    ++aborted;
    return original<&nccl::Library::CommAbort>(comm);
  };
  double begin = nowMs();
  runRanks(
      2, config,
      [](moert_context *context) {
        Lane first(context, "first", 1), second(context, "second", 2),
            third(context, "third", 3);
        // Does other work until the job ends.
        while (moert_rank(context) == 1) {
          if (first.synchronize() != MOERT_OK)
            return;
          sleepMs(10);
        }
        for (Lane *lane : {&first, &second, &third})
          EXPECT_EQ(lane->reduce(MOERT_F32, 16), MOERT_OK);
        EXPECT_NE(first.synchronize(), MOERT_OK);
      },
      /*isWell=*/false);
  EXPECT_EQ(aborted, 6);
  EXPECT_LT(nowMs() - begin, 10000);
}

/// A call that blocks although it should not, as the first one between two
/// ranks may. The watcher must end it at the deadline, and must not free
/// objects that the call uses.
TEST_F(NcclTest, EndsCallsThatDoNotReturn) {
  std::atomic<bool> isAborted{false}, isWithin{false}, wasFreedWithin{false};
  answer<&nccl::Library::AllReduce>() = [&](const void *, void *, size_t, int,
                                            int, nccl::Comm, cuda::Stream) {
    isWithin = true;
    for (int i = 0; i < 60000 && !isAborted; ++i)
      sleepMs(1);
    sleepMs(200);
    isWithin = false;
    return nccl::Result(isAborted ? 3 : 1);
  };
  answer<&nccl::Library::CommAbort>() = [&](nccl::Comm comm) {
    isAborted = true;
    return original<&nccl::Library::CommAbort>(comm);
  };
  answer<&nccl::Library::GroupEnd>() = [&] {
    wasFreedWithin = wasFreedWithin || isWithin;
    return original<&nccl::Library::GroupEnd>();
  };
  moert_config config = getConfig();
  config.deadline_us = 2000000;
  double begin = nowMs();
  runRanks(
      1, config,
      [](moert_context *context) {
        Lane lane(context, "s");
        EXPECT_EQ(moert_barrier(lane.comm), MOERT_DEADLINE_EXCEEDED)
            << moert_last_error(context);
      },
      /*isWell=*/false);
  EXPECT_TRUE(isAborted);
  EXPECT_FALSE(wasFreedWithin);
  EXPECT_LT(nowMs() - begin, 30000);
}
