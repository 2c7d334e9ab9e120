// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests arguments, deadlines and overlap.

#include "Ranks.h"
#include <atomic>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace moert::test;

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

namespace {

/// With the address sanitizer, destroyed buffers are not reused.
#ifdef HAS_ASAN
constexpr bool kKeepsSpares = false;
#else
constexpr bool kKeepsSpares = true;
#endif

class InterfaceTest : public ::testing::Test {
protected:
  void SetUp() override {
    moert_config_default(&config);
    config.address = "interface test";
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK)
        << moert_last_error(nullptr);
    ASSERT_EQ(moert_stream_create(context, "one", 0, &stream), MOERT_OK);
    int32_t self = 0;
    ASSERT_EQ(moert_comm_create(stream, &self, 1, 5, kPatienceUs, &comm),
              MOERT_OK);
  }
  void TearDown() override {
    if (context) {
      EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_OK);
    }
  }
  void expectError(moert_status status, const char *part) {
    EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(context), part), nullptr)
        << moert_last_error(context);
  }

  /// Blocks the stream until `mayGoOn`.
  void hold() {
    mayGoOn = false;
    ASSERT_EQ(moert_launch(
                  stream, "hold",
                  [](void *gate) {
                    while (!*static_cast<std::atomic<bool> *>(gate))
                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    return 0;
                  },
                  &mayGoOn),
              MOERT_OK);
  }

  moert_config config;
  moert_context *context = nullptr;
  moert_stream *stream = nullptr;
  moert_comm *comm = nullptr;
  std::atomic<bool> mayGoOn{true};
};

} // namespace

TEST_F(InterfaceTest, RefusesWrongArguments) {
  float a[8] = {}, b[8] = {};
  expectError(moert_all_to_all(comm, a, b, -1, MOERT_F32),
              "moert_all_to_all: expected a count in [0, ");
  expectError(moert_all_to_all(comm, a, b, 1, static_cast<moert_type>(99)),
              "expected a known element type, got 99");
  expectError(moert_all_to_all(comm, nullptr, b, 1, MOERT_F32), "got NULL");
  expectError(moert_all_to_all(comm, a, a + 1, 4, MOERT_F32), "overlap");
  expectError(moert_all_to_all(comm, a, b, INT64_MAX, MOERT_F32), "count");
  expectError(moert_all_reduce(comm, a, b, 1, MOERT_F32,
                               static_cast<moert_reduction>(4)),
              "expected a known reduction, got 4");
  expectError(moert_all_gather(comm, b + 1, b, 4, MOERT_F32), "place 0");
  expectError(moert_barrier(nullptr), "expected a communicator, got NULL");
  int64_t offset = 3, size = 2, negative = -1;
  expectError(moert_ragged_all_to_all(comm, a, 4, b, 8, 1, &offset, &size,
                                      &offset, &size, MOERT_F32),
              "sent to position 0 to lie in [0, 4), got 2 rows from row 3");
  expectError(moert_ragged_all_to_all(comm, a, 8, b, 4, 1, &offset, &size,
                                      &offset, &size, MOERT_F32),
              "received from position 0 to lie in [0, 4)");
  expectError(moert_ragged_all_to_all(comm, a, 8, b, 8, 1, &offset, &negative,
                                      &offset, &size, MOERT_F32),
              "got -1 rows");
  expectError(moert_ragged_all_to_all(comm, a, INT64_MAX, b, 8, 3, &offset,
                                      &size, &offset, &size, MOERT_F32),
              "fit memory");
  int32_t other = 1, twice[2] = {0, 0};
  moert_comm *second = nullptr;
  expectError(moert_comm_create(stream, &other, 1, 0, 1000, &second),
              "expected ranks in [0, 1), got 1");
  expectError(moert_comm_create(stream, twice, 2, 0, 1000, &second),
              "expected a group of 1 to 1 ranks");
  int32_t self = 0;
  expectError(moert_comm_create(stream, &self, 1, 5, 1000, &second),
              "one communicator of group [0] key 5 at a time");
  expectError(moert_comm_create(stream, &self, 1, 6, -2, &second),
              "expected a deadline of at least 0 us, got -2");
  expectError(moert_stream_destroy(stream), "got 1 left");
  expectError(moert_delay(stream, -1), "duration");
  int64_t sizes[2] = {2, 2}, zero[2] = {0, 1}, strides[2] = {2, 1};
  expectError(
      moert_copy_strided(stream, a, zero, b, strides, sizes, 2, MOERT_F32),
      "stride 0 at dim 0");
  expectError(
      moert_copy_strided(stream, a, strides, b, strides, sizes, 9, MOERT_F32),
      "expected 0 to 8 dims, got 9");
  moert_gate_args gate = {};
  gate.size = sizeof(gate);
  gate.type = gate.router_type = gate.weights_type = MOERT_F32;
  gate.ids_type = MOERT_I8;
  gate.tokens = gate.hidden = gate.num_groups = gate.top_groups = 1;
  gate.experts = 300;
  gate.top_k = 301;
  gate.scale = 1;
  expectError(moert_gate(stream, &gate), "expected top_k in [1, 300], got 301");
  gate.top_k = 1;
  expectError(moert_gate(stream, &gate), "300 experts to fit i8");
  // An older caller, or one that does not set the size.
  gate.size = sizeof(gate) - 16;
  std::string expected = "moert_gate: expected a moert_gate_args of " +
                         std::to_string(sizeof(gate)) + " bytes, as interface ";
  expectError(moert_gate(stream, &gate), expected.c_str());
  moert_scatter_args scatter = {};
  expected = "expected a moert_scatter_args of " +
             std::to_string(sizeof(scatter)) + " bytes";
  expectError(moert_scatter(stream, &scatter), expected.c_str());
  // These errors must not affect the job.
  EXPECT_EQ(moert_all_to_all(comm, a, b, 8, MOERT_F32), MOERT_OK);
  EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
  EXPECT_STREQ(moert_last_error(context), "");
}

TEST_F(InterfaceTest, RefusesWrongConfigurations) {
  moert_context *none = nullptr;
  auto expect = [&](const moert_config &wrong, const char *part) {
    EXPECT_EQ(moert_init(&wrong, &none), MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(nullptr), part), nullptr)
        << moert_last_error(nullptr);
    EXPECT_EQ(none, nullptr);
  };
  moert_config wrong = config;
  wrong.backend = "carrier pigeon";
  expect(wrong, "'host', 'mpi' or 'nccl', got 'carrier pigeon'");
  wrong = config;
  wrong.rank = 1;
  expect(wrong, "expected a rank in [0, 1), got 1");
  wrong = config;
  wrong.world_size = 0;
  expect(wrong, "world_size of at least 1, got 0");
  wrong = config;
  wrong.struct_size = 8;
  expect(wrong, "got size 8");
  wrong = config;
  wrong.deadline_us = 0;
  expect(wrong, "deadline");
  wrong = config;
  wrong.local_rank = -2;
  expect(wrong, "local_rank of at least 0, or -1 when it is not known, got -2");
  wrong = config;
  wrong.min_ctas = 8;
  wrong.max_ctas = 4;
  expect(wrong,
         "0 <= min_ctas <= max_ctas and 0 <= cga_cluster_size <= 8, or -1 "
         "for NCCL's own choice, got 8, "
         "4 and 0");
  wrong = config;
  wrong.num_links = 1;
  expect(wrong, "num_links levels");
}

TEST_F(InterfaceTest, KeepsStreamsAndCommunicators) {
  moert_stream *kept, *again, *urgent;
  ASSERT_EQ(moert_stream_get(context, "one", 0, &kept), MOERT_OK);
  ASSERT_EQ(moert_stream_get(context, "one", 0, &again), MOERT_OK);
  ASSERT_EQ(moert_stream_get(context, "one", 1, &urgent), MOERT_OK);
  EXPECT_EQ(kept, again);
  EXPECT_NE(kept, urgent);
  EXPECT_NE(kept, stream);

  int32_t self = 0;
  moert_comm *first, *second, *other;
  ASSERT_EQ(moert_comm_get(kept, &self, 1, 1000000, &first), MOERT_OK);
  ASSERT_EQ(moert_comm_get(kept, &self, 1, 1000000, &second), MOERT_OK);
  ASSERT_EQ(moert_comm_get(urgent, &self, 1, 1000000, &other), MOERT_OK);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);

  expectError(moert_stream_get(context, nullptr, 0, &again),
              "expected a name, got NULL");
  expectError(moert_comm_get(stream, &self, 1, 1000000, &second),
              "expected a stream of moert_stream_get, got the stream 'one'");
  EXPECT_EQ(second, nullptr);
  self = 7;
  expectError(moert_comm_get(kept, &self, 1, 1000000, &second),
              "expected ranks in [0, 1), got 7");
  expectError(moert_comm_split(kept, &self, 1, 1000000, &second),
              "expected ranks in [0, 1), got 7");
  self = 0;
  expectError(moert_comm_split(kept, &self, 2, 1000000, &second),
              "expected groups of equal size of all 1 ranks, got groups of 2");
  expectError(moert_comm_split(stream, &self, 1, 1000000, &second),
              "expected a stream of moert_stream_get, got the stream 'one'");
  expectError(moert_comm_split(kept, nullptr, 1, 1000000, &second),
              "expected ranks, got NULL");
  EXPECT_EQ(second, nullptr);
  ASSERT_EQ(moert_comm_split(kept, &self, 1, 1000000, &second), MOERT_OK);
  EXPECT_NE(first, second);
  expectError(moert_comm_destroy(second), "which moert_finalize destroys");
  expectError(moert_comm_destroy(first), "which moert_finalize destroys");
  expectError(moert_stream_destroy(kept), "which moert_finalize destroys");
}

TEST_F(InterfaceTest, BuffersOfOneSizeAreUsedAgain) {
  auto create = [&](size_t bytes, moert_memory_space space) {
    moert_buffer *buffer = nullptr;
    EXPECT_EQ(moert_buffer_create(context, bytes, space, &buffer), MOERT_OK)
        << moert_last_error(context);
    EXPECT_EQ(moert_buffer_size(buffer), bytes);
    // All bytes must be writable.
    std::memset(moert_buffer_data(buffer), 0x5a, bytes);
    return buffer;
  };
  // Two buffers that exist at the same time must be different, also if earlier
  // ones are reused.
  for (int round = 0; round < 3; ++round) {
    moert_buffer *a = create(1 << 20, MOERT_MEMORY_DEVICE),
                 *b = create(1 << 20, MOERT_MEMORY_DEVICE),
                 *c = create(1 << 20, MOERT_MEMORY_HOST);
    EXPECT_NE(moert_buffer_data(a), moert_buffer_data(b));
    EXPECT_NE(moert_buffer_data(a), moert_buffer_data(c));
    EXPECT_NE(moert_buffer_data(b), moert_buffer_data(c));
    for (moert_buffer *buffer : {a, b, c})
      EXPECT_EQ(moert_buffer_destroy(buffer), MOERT_OK);
  }
  if (!kKeepsSpares)
    return;
  moert_buffer *first = create(1 << 20, MOERT_MEMORY_DEVICE);
  void *data = moert_buffer_data(first);
  EXPECT_EQ(moert_buffer_destroy(first), MOERT_OK);
  moert_buffer *other = create((1 << 20) + 1, MOERT_MEMORY_DEVICE);
  EXPECT_NE(moert_buffer_data(other), data);
  moert_buffer *again = create(1 << 20, MOERT_MEMORY_DEVICE);
  EXPECT_EQ(moert_buffer_data(again), data);
  EXPECT_EQ(moert_buffer_destroy(other), MOERT_OK);
  EXPECT_EQ(moert_buffer_destroy(again), MOERT_OK);
}

/// Spare buffers are freed, so that buffers of many different sizes do not
/// accumulate.

TEST_F(InterfaceTest, SparesAreNoMoreThanWasInUse) {
  auto getPages = [] {
    std::ifstream file("/proc/self/statm");
    long all = 0, resident = 0;
    file >> all >> resident;
    return resident;
  };
  constexpr size_t kBytes = 8 << 20;
  long before = getPages();
  for (size_t i = 0; i < 40; ++i) {
    moert_buffer *buffer = nullptr;
    ASSERT_EQ(moert_buffer_create(context, kBytes + 4096 * i,
                                  MOERT_MEMORY_DEVICE, &buffer),
              MOERT_OK);
    std::memset(moert_buffer_data(buffer), 1, kBytes);
    ASSERT_EQ(moert_buffer_destroy(buffer), MOERT_OK);
  }
  // Much less than all forty buffers, with a margin for other memory of the
  // process. The sanitizer's own list of freed buffers would exceed this
  // margin.
  if (kKeepsSpares) {
    EXPECT_LT((getPages() - before) * sysconf(_SC_PAGESIZE), long(10 * kBytes));
  }
}

TEST_F(InterfaceTest, WaitsNoLongerThanTheDeadline) {
  hold();
  double start = nowMs();
  EXPECT_EQ(moert_stream_synchronize(stream, 20000), MOERT_DEADLINE_EXCEEDED);
  // Much less than any other deadline.
  EXPECT_LT(nowMs() - start, 10000);
  // An expired wait must not affect the stream.
  mayGoOn = true;
  start = nowMs();
  ASSERT_EQ(moert_delay(stream, 200000), MOERT_OK);
  EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_OK);
  EXPECT_GE(nowMs() - start, 199);
}

TEST_F(InterfaceTest, EventsOrderStreams) {
  moert_stream *other = nullptr;
  moert_event *event = nullptr;
  ASSERT_EQ(moert_stream_create(context, "two", 0, &other), MOERT_OK);
  ASSERT_EQ(moert_event_create(context, &event), MOERT_OK);
  double elapsed = 0;
  expectError(moert_event_elapsed(event, event, &elapsed),
              "expected two events of moert_event_create_timed, got both of "
              "moert_event_create");
  int reached = 0;
  ASSERT_EQ(moert_event_query(event, &reached), MOERT_OK);
  EXPECT_EQ(reached, 1) << "a fresh event counts as reached";
  int value = 0, seen = 0;
  hold();
  ASSERT_EQ(moert_launch(
                stream, "set",
                [](void *at) {
                  *static_cast<int *>(at) = 42;
                  return 0;
                },
                &value),
            MOERT_OK);
  ASSERT_EQ(moert_event_record(event, stream), MOERT_OK);
  ASSERT_EQ(moert_event_query(event, &reached), MOERT_OK);
  EXPECT_EQ(reached, 0);
  ASSERT_EQ(moert_stream_wait_event(other, event), MOERT_OK);
  ASSERT_EQ(moert_copy(other, &seen, &value, sizeof(int)), MOERT_OK);
  mayGoOn = true;
  ASSERT_EQ(moert_stream_synchronize(other, kPatienceUs), MOERT_OK);
  EXPECT_EQ(seen, 42);
}

TEST_F(InterfaceTest, ProcessorsHaveNoMultiprocessors) {
  EXPECT_EQ(moert_stream_leave_sms(stream, 16), MOERT_OK);
  EXPECT_EQ(moert_stream_leave_sms(stream, 0), MOERT_OK);
  expectError(moert_stream_leave_sms(stream, -1),
              "expected a number of SMs of at least 0, got -1");
  EXPECT_EQ(moert_stream_leave_sms(nullptr, 0), MOERT_INVALID_ARGUMENT);
}

TEST_F(InterfaceTest, AFunctionThatFailsEndsTheJob) {
  ASSERT_EQ(moert_launch(
                stream, "task 7", [](void *) { return 3; }, nullptr),
            MOERT_OK);
  EXPECT_EQ(moert_stream_synchronize(stream, kPatienceUs), MOERT_BACKEND_ERROR);
  EXPECT_NE(std::strstr(moert_last_error(context),
                        "'task 7' on a stream returned 3, expected 0"),
            nullptr);
  EXPECT_EQ(moert_delay(stream, 1), MOERT_BACKEND_ERROR);
  EXPECT_EQ(moert_comm_destroy(comm), MOERT_OK);
  EXPECT_EQ(moert_stream_destroy(stream), MOERT_OK);
  EXPECT_EQ(moert_finalize(context, kPatienceUs), MOERT_BACKEND_ERROR);
  context = nullptr;
}
