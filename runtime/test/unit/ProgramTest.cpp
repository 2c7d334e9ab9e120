// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the calls of compiled programs.

#include "moert.h"
#include <cstring>
#include <gtest/gtest.h>

// Not in any header: the first call of programs of interface 0.7.
extern "C" moert_status moert_program_check(const moert_context *, const char *,
                                            int32_t, void *const *,
                                            const int64_t *, int32_t,
                                            void *const *, const int64_t *,
                                            int32_t);

namespace {

const int64_t kBytes[] = {4, 0};

/// Copies the input to the result through the workspace, on a stream of the
/// program.
moert_status enqueue(moert_context *context, moert_stream *stream,
                     void **inputs, void **results, void *workspace);

const moert_program kProgram = {sizeof(moert_program),
                                MOERT_ABI_VERSION,
                                1,
                                0,
                                2,
                                1,
                                "step",
                                kBytes,
                                kBytes,
                                64,
                                8,
                                2,
                                enqueue,
                                nullptr,
                                0,
                                nullptr,
                                nullptr,
                                0,
                                0,
                                0,
                                0,
                                0};

moert_status enqueue(moert_context *context, moert_stream *stream,
                     void **inputs, void **results, void *workspace) {
  void *memory = nullptr;
  moert_event *begun, *ended;
  moert_stream *own;
  for (moert_status status :
       {moert_program_begin(context, &kProgram, stream, inputs, results,
                            workspace, &memory),
        moert_event_get(context, 0, &begun), moert_event_record(begun, stream),
        moert_stream_get(context, "own", 0, &own),
        moert_stream_wait_event(own, begun),
        moert_copy(own, workspace, inputs[0], 4),
        moert_copy(own, results[0], workspace, 4),
        moert_event_get(context, 1, &ended), moert_event_record(ended, own),
        moert_stream_wait_event(stream, ended)})
    if (status != MOERT_OK)
      return status;
  return memory ? MOERT_OK : MOERT_BACKEND_ERROR;
}

class ProgramTest : public testing::Test {
protected:
  void SetUp() override {
    moert_config config;
    ASSERT_EQ(moert_config_default(&config), MOERT_OK);
    config.address = "program-test";
    ASSERT_EQ(moert_init(&config, &context), MOERT_OK);
  }
  void TearDown() override {
    EXPECT_EQ(moert_finalize(context, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  }
  moert_status begin(const moert_program &program) {
    void *memory = nullptr;
    moert_stream *stream = nullptr;
    EXPECT_EQ(moert_stream_get(context, "s", 0, &stream), MOERT_OK);
    return moert_program_begin(context, &program, stream, inputs, results,
                               workspace, &memory);
  }
  void expectError(moert_status status, const char *part) {
    EXPECT_EQ(status, MOERT_INVALID_ARGUMENT);
    EXPECT_NE(std::strstr(moert_last_error(context), part), nullptr)
        << moert_last_error(context);
  }
  moert_counts getCounts() {
    moert_counts counts;
    counts.size = sizeof(counts);
    EXPECT_EQ(moert_context_counts(context, &counts), MOERT_OK);
    return counts;
  }

  moert_context *context = nullptr;
  int number = 17, result = 0;
  alignas(64) char memory[128];
  void *inputs[2] = {&number, nullptr}, *results[1] = {&result};
  void *workspace = memory;
};

} // namespace

TEST_F(ProgramTest, ChecksWhatItIsCalledWith) {
  EXPECT_EQ(begin(kProgram), MOERT_OK) << moert_last_error(context);
  moert_program other = kProgram;
  other.num_ranks = 0;
  EXPECT_EQ(begin(other), MOERT_OK);
  other.num_ranks = 16;
  expectError(begin(other), "rank 0: step: expected a job of 16 ranks, got 1");
  const int64_t more[] = {4, 8};
  other = kProgram;
  other.input_bytes = more;
  expectError(begin(other), "step: expected the 8 bytes of input 1, got NULL");
  results[0] = nullptr;
  expectError(begin(kProgram),
              "step: expected the 4 bytes of result 0, got NULL");
  results[0] = &result;
  workspace = nullptr;
  expectError(begin(kProgram),
              "step: expected a workspace of 64 bytes, got NULL");
  workspace = memory + 8;
  expectError(begin(kProgram), "step: expected a workspace aligned to 64");
  workspace = memory;
  other = kProgram;
  other.name = nullptr;
  expectError(begin(other), "expected the name of a program, got NULL");
  void *place = nullptr;
  expectError(moert_program_begin(context, &kProgram, nullptr, inputs, results,
                                  workspace, &place),
              "step: expected a stream, got NULL");
  EXPECT_EQ(moert_program_prepare(nullptr, &kProgram), MOERT_INVALID_ARGUMENT);
  EXPECT_STREQ(moert_last_error(nullptr), "step: expected a context, got NULL");
}

TEST_F(ProgramTest, RefusesProgramsOfOtherInterfaces) {
  moert_program other = kProgram;
  other.abi_version = MOERT_ABI_VERSION + 1;
  expectError(begin(other), "which this library runs, got one for 0.");
  expectError(begin(other), "link it with the libmoert of its compiler");
  // A larger struct must get the same error.
  other.size = 4000;
  expectError(begin(other), "link it with the libmoert of its compiler");
  other = kProgram;
  other.abi_version = 7;
  expectError(begin(other), "got one for 0.7: compile it again");
  other = kProgram;
  other.size = 8;
  expectError(begin(other), "expected a moert_program of 136 bytes");
  // Programs of the time before images.
  other.size = 80;
  EXPECT_EQ(begin(other), MOERT_OK) << moert_last_error(context);
  expectError(moert_program_check(context, "old", 1, nullptr, nullptr, 0,
                                  nullptr, nullptr, 0),
              "old: expected a program compiled for interface 0.8");
}

TEST_F(ProgramTest, RunsMakeNothingButTheFirst) {
  ASSERT_EQ(moert_program_run(context, &kProgram, inputs, results), MOERT_OK)
      << moert_last_error(context);
  EXPECT_EQ(result, 17);
  moert_counts first = getCounts();
  EXPECT_EQ(first.streams, 2);
  EXPECT_EQ(first.events, 2);
  EXPECT_EQ(first.host_waits, 1);
  for (number = 0; number < 100; ++number) {
    ASSERT_EQ(moert_program_run(context, &kProgram, inputs, results), MOERT_OK);
    EXPECT_EQ(result, number);
  }
  moert_counts last = getCounts();
  EXPECT_EQ(last.streams, first.streams);
  EXPECT_EQ(last.events, first.events);
  EXPECT_EQ(last.host_waits, 101);
#ifndef MOERT_SANITIZED
  // With the address sanitizer, no buffers are kept for reuse.
  EXPECT_EQ(last.buffers, first.buffers);
#endif
  moert_counts none = {};
  expectError(moert_context_counts(context, &none),
              "expected a moert_counts of 48 bytes");
}

TEST_F(ProgramTest, RunsBehindTheCallersStream) {
  moert_stream *stream;
  ASSERT_EQ(moert_stream_create(context, "caller", 0, &stream), MOERT_OK);
  ASSERT_EQ(moert_delay(stream, 20000), MOERT_OK);
  int source = 5, copy = 0;
  ASSERT_EQ(moert_copy(stream, &number, &source, 4), MOERT_OK);
  ASSERT_EQ(enqueue(context, stream, inputs, results, workspace), MOERT_OK);
  ASSERT_EQ(moert_copy(stream, &copy, &result, 4), MOERT_OK);
  EXPECT_EQ(getCounts().host_waits, 0);
  ASSERT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  EXPECT_EQ(copy, 5);
}

TEST_F(ProgramTest, KeepsItsEvents) {
  moert_event *event, *again, *other;
  ASSERT_EQ(moert_event_get(context, 3, &event), MOERT_OK);
  ASSERT_EQ(moert_event_get(context, 3, &again), MOERT_OK);
  ASSERT_EQ(moert_event_get(context, 0, &other), MOERT_OK);
  EXPECT_EQ(event, again);
  EXPECT_NE(event, other);
  EXPECT_EQ(getCounts().events, 4);
  expectError(moert_event_destroy(event), "got one of moert_event_get");
  expectError(moert_event_get(context, -1, &event),
              "expected the number of an event in [0, 1048576), got -1");
}

static int64_t sum = 0;
static int add(void *argument) {
  auto *numbers = static_cast<int64_t *>(argument);
  for (int i = 0; i < 3; ++i)
    sum += numbers[i];
  return 0;
}

TEST_F(ProgramTest, LaunchesCopyTheirArguments) {
  moert_stream *stream;
  ASSERT_EQ(moert_stream_get(context, "s", 0, &stream), MOERT_OK);
  sum = 0;
  int64_t numbers[3] = {1, 2, 3};
  ASSERT_EQ(moert_delay(stream, 5000), MOERT_OK);
  ASSERT_EQ(moert_launch_packed(stream, "add", add, numbers, sizeof(numbers)),
            MOERT_OK);
  numbers[0] = numbers[1] = numbers[2] = 100;
  ASSERT_EQ(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), MOERT_OK);
  EXPECT_EQ(sum, 6);
  expectError(moert_launch_packed(stream, "add", add, nullptr, 8),
              "expected an argument, got NULL");
}

TEST_F(ProgramTest, HasNothingToAdoptOnCpus) {
  moert_stream *stream = nullptr;
  EXPECT_EQ(moert_stream_adopt(context, "job", &number, &stream),
            MOERT_UNAVAILABLE);
  EXPECT_EQ(stream, nullptr);
  int32_t self = 0;
  EXPECT_EQ(moert_comm_adopt(context, &self, 1, &number), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(context), "on CPU backends"), nullptr)
      << moert_last_error(context);
  expectError(moert_comm_adopt(context, &self, 1, nullptr),
              "expected a communicator, got NULL");
  int32_t other = 1;
  expectError(moert_comm_adopt(context, &other, 1, &number),
              "expected ranks in [0, 1), got 1");
}
