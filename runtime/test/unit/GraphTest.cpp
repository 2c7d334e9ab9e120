// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests programs that run as CUDA graphs.

#include "NcclSpy.h"
#include "Ranks.h"
#include "core/Backend.h"
#include <cstring>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

constexpr int64_t kDefault = MOERT_DEADLINE_DEFAULT, kCount = 40;
constexpr int64_t kBytes[] = {2 * kCount};

/// Computes the sum of the input over the ranks, by gathering it into scratch
/// memory.
moert_status enqueueSum(moert_context *context, moert_stream *stream,
                        void **inputs, void **results, void *workspace);

constexpr moert_program kSum = {sizeof(moert_program),
                                MOERT_ABI_VERSION,
                                2,
                                0,
                                1,
                                1,
                                "sum",
                                kBytes,
                                kBytes,
                                kBytes[0],
                                0,
                                2,
                                enqueueSum,
                                nullptr,
                                0,
                                nullptr,
                                nullptr,
                                0,
                                0,
                                0,
                                0,
                                0};

moert_status enqueueSum(moert_context *context, moert_stream *stream,
                        void **inputs, void **results, void *workspace) {
  void *memory = nullptr;
  moert_event *begun = nullptr, *ended = nullptr;
  moert_stream *own = nullptr;
  moert_comm *comm = nullptr;
  const int32_t ranks[] = {0, 1};
  moert_status status = moert_program_begin(context, &kSum, stream, inputs,
                                            results, workspace, &memory);
  auto then = [&](auto call) {
    if (status == MOERT_OK)
      status = call();
  };
  then([&] { return moert_event_get(context, 0, &begun); });
  then([&] { return moert_event_record(begun, stream); });
  then([&] { return moert_stream_get(context, "own", 0, &own); });
  then([&] { return moert_stream_wait_event(own, begun); });
  then([&] { return moert_comm_get(own, ranks, 2, kDefault, &comm); });
  then([&] {
    return moert_all_reduce(comm, inputs[0], workspace, kCount, MOERT_I16,
                            MOERT_SUM);
  });
  then([&] { return moert_copy(own, results[0], workspace, kBytes[0]); });
  then([&] { return moert_event_get(context, 1, &ended); });
  then([&] { return moert_event_record(ended, own); });
  then([&] { return moert_stream_wait_event(stream, ended); });
  return status;
}

/// A rank's numbers in memory that streams can access.
class Numbers {
public:
  explicit Numbers(moert_context *context) {
    EXPECT_EQ(moert_stream_get(context, "copies", 0, &stream), MOERT_OK);
    EXPECT_EQ(
        moert_buffer_create(context, kBytes[0], MOERT_MEMORY_DEVICE, &buffer),
        MOERT_OK);
  }
  void *get() const { return moert_buffer_data(buffer); }
  void write(int16_t value) {
    std::vector<int16_t> values(kCount, value);
    copy(get(), values.data());
  }
  int16_t read() {
    std::vector<int16_t> values(kCount);
    copy(values.data(), get());
    for (int16_t value : values)
      EXPECT_EQ(value, values[0]);
    return values[0];
  }

private:
  void copy(void *to, const void *from) {
    EXPECT_EQ(moert_copy(stream, to, from, kBytes[0]), MOERT_OK);
    EXPECT_EQ(moert_stream_synchronize(stream, kDefault), MOERT_OK);
  }
  moert_stream *stream = nullptr;
  moert_buffer *buffer = nullptr;
};

class GraphTest : public Spy {
protected:
  void TearDown() override {
    library().version = version ? version : library().version;
    Spy::TearDown();
  }
  moert_config getConfig() {
    moert_config config = Spy::getConfig();
    config.cuda_graph = 1;
    return config;
  }
  int version = 0;
};

moert_status run(moert_context *context, const Numbers &in,
                 const Numbers &out) {
  void *inputs[] = {in.get()}, *results[] = {out.get()};
  return moert_program_run(context, &kSum, inputs, results);
}

} // namespace

TEST_F(GraphTest, RunsOfAProgramBecomeOneLaunch) {
  constexpr int kRuns = 6;
  runRanks(2, getConfig(), [](moert_context *context) {
    Numbers in(context), out(context);
    for (int i = 0; i < kRuns; ++i) {
      in.write(static_cast<int16_t>(10 * i + moert_rank(context)));
      out.write(-1);
      {
        Counting counting;
        EXPECT_EQ(run(context, in, out), MOERT_OK) << moert_last_error(context);
      }
      EXPECT_EQ(out.read(), 20 * i + 1);
    }
  });
  std::map<std::string, int> calls = Calls::get().take();
  // The first run uses no graph; the second one creates the graph and launches
  // it.
  EXPECT_EQ(calls["cuGraphLaunch"], 2 * (kRuns - 1));
#ifndef MOERT_SANITIZED
  // With the address sanitizer, each run has its own workspace.
  EXPECT_EQ(calls["cuStreamBeginCapture"], 2);
  EXPECT_EQ(calls["cuGraphInstantiate"], 2);
  EXPECT_EQ(calls["ncclAllGather"], 2 * 2);
  EXPECT_EQ(calls["cuLaunchKernel"], 2 * 2);
#endif
  EXPECT_EQ(calls["cuMemAllocAsync"], 2);
}

TEST_F(GraphTest, OtherMemoryMakesAnotherGraphOnThatRank) {
  runRanks(2, getConfig(), [](moert_context *context) {
    int rank = moert_rank(context);
    Numbers in(context), out(context), other(context);
    for (int i = 0; i < 6; ++i) {
      // Only rank 1 changes its buffer, and changes it back.
      Numbers &result = rank == 1 && i == 3 ? other : out;
      in.write(static_cast<int16_t>(i));
      EXPECT_EQ(run(context, in, result), MOERT_OK)
          << moert_last_error(context);
      EXPECT_EQ(result.read(), 2 * i);
    }
  });
}

/// Callers that alternate between a few sets of buffers create one graph per
/// set. The number of graphs is limited.
TEST_F(GraphTest, KeepsAGraphForEachOfSomeMemory) {
#ifndef MOERT_SANITIZED
  constexpr int kMost = 8;
  auto count = [&](int sets, int rounds) {
    Calls::get().take();
    runRanks(2, getConfig(), [&](moert_context *context) {
      Numbers in(context);
      std::vector<std::unique_ptr<Numbers>> out;
      for (int i = 0; i < sets; ++i)
        out.push_back(std::make_unique<Numbers>(context));
      in.write(5);
      for (int i = 0; i < rounds * sets; ++i) {
        Counting counting;
        EXPECT_EQ(run(context, in, *out[i % sets]), MOERT_OK)
            << moert_last_error(context);
      }
      for (const auto &numbers : out)
        EXPECT_EQ(numbers->read(), 10);
    });
    return Calls::get().take()["cuStreamBeginCapture"] / 2;
  };
  // The very first run uses no graph.
  EXPECT_EQ(count(2, 8), 2);
  EXPECT_EQ(count(kMost, 3), kMost);
  EXPECT_EQ(count(kMost + 1, 3), 3 * (kMost + 1) - 1);
#endif
}

/// Memory that a graph uses must remain when other work needs more memory.
TEST_F(GraphTest, KeepsTheScratchMemoryOfGraphs) {
  runRanks(2, getConfig(), [](moert_context *context) {
    Numbers in(context), out(context);
    in.write(3);
    moert_stream *own = nullptr;
    moert_comm *comm = nullptr;
    moert_buffer *large = nullptr;
    const int32_t ranks[] = {0, 1};
    EXPECT_EQ(
        moert_buffer_create(context, 1 << 20, MOERT_MEMORY_DEVICE, &large),
        MOERT_OK);
    void *data = moert_buffer_data(large);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(run(context, in, out), MOERT_OK) << moert_last_error(context);
      EXPECT_EQ(out.read(), 6);
      EXPECT_EQ(moert_stream_get(context, "own", 0, &own), MOERT_OK);
      EXPECT_EQ(moert_comm_get(own, ranks, 2, kDefault, &comm), MOERT_OK);
      EXPECT_EQ(
          moert_all_reduce(comm, data, data, 1000 << i, MOERT_I16, MOERT_SUM),
          MOERT_OK);
      EXPECT_EQ(moert_stream_synchronize(own, kDefault), MOERT_OK);
    }
  });
}

TEST_F(GraphTest, RefusesWhatTheHostHasAPartIn) {
  runRanks(1, getConfig(), [](moert_context *context) {
    moert_program program = kSum;
    program.num_ranks = 1;
    program.host_part = "'moert.ragged_all_to_all' of in.mlir:3:4 needs the "
                        "host to read what a stream computes";
    Numbers in(context), out(context);
    void *inputs[] = {in.get()}, *results[] = {out.get()};
    EXPECT_EQ(moert_program_run(context, &program, inputs, results),
              MOERT_UNAVAILABLE);
    EXPECT_STREQ(moert_last_error(context),
                 "rank 0: sum: expected a program in which the host has no "
                 "part while it runs, as a CUDA graph has none, got one in "
                 "which 'moert.ragged_all_to_all' of in.mlir:3:4 needs the "
                 "host to read what a stream computes");
    // A program of an older interface, which has no such message.
    program.host_part = nullptr;
    program.host_waits = 1;
    EXPECT_EQ(moert_program_run(context, &program, inputs, results),
              MOERT_UNAVAILABLE);
  });
}

TEST_F(GraphTest, CallersCaptureRuns) {
  runRanks(2, Spy::getConfig(), [](moert_context *context) {
    const cuda::Driver &cuda = driver();
    Numbers in(context), out(context), workspace(context);
    void *inputs[] = {in.get()}, *results[] = {out.get()};
    cuda::Stream native = nullptr;
    moert_stream *stream = nullptr;
    cuda::Device device = 0;
    cuda::Context current = nullptr;
    EXPECT_EQ(cuda.DeviceGet(&device, moert_rank(context)), 0);
    EXPECT_EQ(cuda.DevicePrimaryCtxRetain(&current, device), 0);
    EXPECT_EQ(cuda.CtxSetCurrent(current), 0);
    EXPECT_EQ(cuda.StreamCreateWithPriority(&native, 1, 0), 0);
    EXPECT_EQ(moert_stream_adopt(context, "job", native, &stream), MOERT_OK);
    auto enqueue = [&] {
      return enqueueSum(context, stream, inputs, results, workspace.get());
    };
    cuda::Graph graph = nullptr;
    cuda::GraphExec executable = nullptr;
    constexpr int kThreadLocal = 1;

    // Before the first run, there is no memory for kernels. The caller must be
    // able to discard the capture.
    EXPECT_EQ(moert_program_prepare(context, &kSum), MOERT_OK);
    moert_stream *own = nullptr;
    moert_comm *comm = nullptr;
    const int32_t ranks[] = {0, 1};
    EXPECT_EQ(moert_stream_get(context, "own", 0, &own), MOERT_OK);
    EXPECT_EQ(moert_comm_get(own, ranks, 2, kDefault, &comm), MOERT_OK);
    EXPECT_EQ(cuda.StreamBeginCapture(native, kThreadLocal), 0);
    EXPECT_EQ(enqueue(), MOERT_UNAVAILABLE);
    EXPECT_NE(std::strstr(moert_last_error(context),
                          "before it is captured, got 0: let what is captured "
                          "run once before"),
              nullptr)
        << moert_last_error(context);
    (void)cuda.StreamEndCapture(native, &graph);
    if (graph) {
      EXPECT_EQ(cuda.GraphDestroy(graph), 0);
    }

    EXPECT_EQ(enqueue(), MOERT_OK) << moert_last_error(context);
    EXPECT_EQ(moert_stream_synchronize(stream, kDefault), MOERT_OK);
    EXPECT_EQ(cuda.StreamBeginCapture(native, kThreadLocal), 0);
    EXPECT_EQ(enqueue(), MOERT_OK) << moert_last_error(context);
    // Programs that need the host are rejected without invalidating the
    // capture.
    moert_program program = kSum;
    program.host_waits = 1;
    void *memory = nullptr;
    EXPECT_EQ(moert_program_begin(context, &program, stream, inputs, results,
                                  workspace.get(), &memory),
              MOERT_UNAVAILABLE);
    EXPECT_EQ(cuda.StreamEndCapture(native, &graph), 0);
    EXPECT_EQ(cuda.GraphInstantiate(&executable, graph, 0), 0);
    EXPECT_EQ(cuda.GraphDestroy(graph), 0);
    for (int i = 0; i < 5; ++i) {
      in.write(static_cast<int16_t>(i));
      EXPECT_EQ(cuda.GraphLaunch(executable, native), 0);
      EXPECT_EQ(moert_stream_synchronize(stream, kDefault), MOERT_OK);
      EXPECT_EQ(out.read(), 2 * i);
      // Normal runs between launches.
      EXPECT_EQ(enqueue(), MOERT_OK) << moert_last_error(context);
      EXPECT_EQ(moert_stream_synchronize(stream, kDefault), MOERT_OK);
    }
    EXPECT_EQ(cuda.GraphExecDestroy(executable), 0);
  });
}

TEST_F(GraphTest, NeedsADriverThatKnowsGraphs) {
  auto instantiate = std::exchange(driver().GraphInstantiate, nullptr);
  moert_config config = getConfig();
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "cuda_graph needs a CUDA driver for CUDA 11.4 or "
                        "later, got 12.0"),
            nullptr)
      << moert_last_error(nullptr);
  driver().GraphInstantiate = instantiate;
  config.backend = "host";
  EXPECT_EQ(moert_init(&config, &context), MOERT_INVALID_ARGUMENT);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "expected cuda_graph on the backend 'nccl' only"),
            nullptr)
      << moert_last_error(nullptr);
}

//===----------------------------------------------------------------------===//
// Registered memory
//===----------------------------------------------------------------------===//

/// Memory and communicators are registered with each other in any order. The
/// emulation ends the process if either is freed before it is deregistered.
TEST_F(GraphTest, RegistersBuffersWithCommunicators) {
  moert_config config = Spy::getConfig();
  config.register_buffers = 1;
  runRanks(2, config, [](moert_context *context) {
    Counting counting;
    Numbers in(context), out(context);
    in.write(4);
    // The workspace is allocated before the communicator.
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(run(context, in, out), MOERT_OK) << moert_last_error(context);
    EXPECT_EQ(out.read(), 8);
    moert_buffer *later = nullptr;
    EXPECT_EQ(moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &later),
              MOERT_OK);
  });
  std::map<std::string, int> calls = Calls::get().take();
#ifndef MOERT_SANITIZED
  EXPECT_EQ(calls["ncclMemAlloc"], 2 * 4);
#endif
  EXPECT_EQ(calls["ncclCommRegister"], calls["ncclMemAlloc"]);

  version = library().version;
  library().version = 21800;
  moert_context *context = nullptr;
  EXPECT_EQ(moert_init(&config, &context), MOERT_UNAVAILABLE);
  EXPECT_NE(std::strstr(moert_last_error(nullptr),
                        "register_buffers needs NCCL 2.19 or later, got 2.18"),
            nullptr)
      << moert_last_error(nullptr);
}

TEST_F(GraphTest, TellsWhatCannotBeRegistered) {
  moert_config config = Spy::getConfig();
  config.register_buffers = 1;
  Hook<&nccl::Library::CommRegister>::answer = [](nccl::Comm, void *, size_t,
                                                  void **) { return 4; };
  runRanks(
      1, config,
      [](moert_context *context) {
        moert_stream *stream = nullptr;
        moert_comm *comm = nullptr;
        const int32_t self = 0;
        EXPECT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
        EXPECT_EQ(moert_comm_create(stream, &self, 1, 0, kDefault, &comm),
                  MOERT_OK);
        moert_buffer *buffer = nullptr;
        EXPECT_EQ(
            moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &buffer),
            MOERT_BACKEND_ERROR);
        EXPECT_NE(std::strstr(moert_last_error(context), "ncclCommRegister"),
                  nullptr)
            << moert_last_error(context);
      },
      /*isWell=*/false);
}
