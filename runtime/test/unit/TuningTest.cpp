// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the settings of NCCL communicators.

#include "NcclSpy.h"
#include "Ranks.h"
#include "moert.h"
#include <cstring>

using namespace moert;
using namespace moert::spy;
using namespace moert::test;

namespace {

moert_status enqueueNothing(moert_context *, moert_stream *, void **, void **,
                            void *) {
  return MOERT_OK;
}

/// Returns an empty program that was compiled for some platform.
moert_program makeProgram(int32_t minCtas, int32_t maxCtas,
                          int32_t registerBuffers = 0,
                          const char *name = "step") {
  moert_program program = {};
  program.size = sizeof(program);
  program.abi_version = MOERT_ABI_VERSION;
  program.name = name;
  program.enqueue = enqueueNothing;
  program.min_ctas = minCtas;
  program.max_ctas = maxCtas;
  program.register_buffers = registerBuffers;
  return program;
}

class TuningTest : public Spy {
protected:
  void SetUp() override {
    Spy::SetUp();
    version = library().version;
    Hook<&nccl::Library::CommInitRankConfig>::answer =
        [this](nccl::Comm *comm, int size, nccl::UniqueId id, int rank,
               nccl::Config *config) {
          asked = *config;
          return Hook<&nccl::Library::CommInitRankConfig>::original(
              comm, size, id, rank, config);
        };
  }
  void TearDown() override {
    library().version = version;
    Spy::TearDown();
  }
  /// Returns the configuration of a communicator after these programs were
  /// prepared.
  nccl::Config ask(const moert_config &config,
                   const std::vector<moert_program> &programs) {
    runRanks(1, config, [&](moert_context *context) {
      for (const moert_program &program : programs)
        EXPECT_EQ(moert_program_prepare(context, &program), MOERT_OK)
            << moert_last_error(context);
      moert_stream *stream = nullptr;
      moert_comm *comm = nullptr;
      moert_buffer *buffer = nullptr;
      const int32_t ranks[] = {0};
      EXPECT_EQ(moert_buffer_create(context, 64, MOERT_MEMORY_DEVICE, &buffer),
                MOERT_OK);
      EXPECT_EQ(moert_stream_create(context, "s", 0, &stream), MOERT_OK);
      EXPECT_EQ(
          moert_comm_create(stream, ranks, 1, 0, MOERT_DEADLINE_DEFAULT, &comm),
          MOERT_OK)
          << moert_last_error(context);
    });
    return asked;
  }
  /// Checks that a program is rejected after others that are not.
  void expectRefusal(const moert_config &config,
                     const std::vector<moert_program> &before,
                     const moert_program &program, moert_status status,
                     const char *words) {
    runRanks(1, config, [&](moert_context *context) {
      for (const moert_program &good : before)
        EXPECT_EQ(moert_program_prepare(context, &good), MOERT_OK);
      EXPECT_EQ(moert_program_prepare(context, &program), status);
      EXPECT_NE(std::strstr(moert_last_error(context), words), nullptr)
          << moert_last_error(context);
    });
  }

  nccl::Config asked;
  int registered = 0;
  int version = 0;
};

constexpr int kOwn = nccl::Config::kUndefined;

TEST_F(TuningTest, ProgramsSayWhatTheJobLeavesOpen) {
  moert_config config = getConfig();
  nccl::Config got = ask(config, {makeProgram(2, 8)});
  EXPECT_EQ(got.minCTAs, 2);
  EXPECT_EQ(got.maxCTAs, 8);
  // Different programs set different parts.
  config = getConfig();
  got = ask(config, {makeProgram(2, 0), makeProgram(0, 0), makeProgram(0, 4)});
  EXPECT_EQ(got.minCTAs, 2);
  EXPECT_EQ(got.maxCTAs, 4);
  config = getConfig();
  config.max_ctas = 16;
  got = ask(config, {makeProgram(2, 8)});
  EXPECT_EQ(got.minCTAs, 2);
  EXPECT_EQ(got.maxCTAs, 16) << "the job's configuration comes first";
  config = getConfig();
  config.min_ctas = config.max_ctas = -1;
  got = ask(config, {makeProgram(2, 8)});
  EXPECT_EQ(got.minCTAs, kOwn);
  EXPECT_EQ(got.maxCTAs, kOwn);
}

TEST_F(TuningTest, RegistersBuffersForPrograms) {
  auto countRegistered = [&](int32_t ofJob, int32_t ofProgram) {
    moert_config config = getConfig();
    config.register_buffers = ofJob;
    int before = registered;
    ask(config, {makeProgram(0, 0, ofProgram)});
    return registered - before;
  };
  Hook<&nccl::Library::CommRegister>::answer =
      [this](nccl::Comm comm, void *data, size_t bytes, void **handle) {
        ++registered;
        return Hook<&nccl::Library::CommRegister>::original(comm, data, bytes,
                                                            handle);
      };
  EXPECT_EQ(countRegistered(0, 0), 0);
  EXPECT_EQ(countRegistered(0, 1), 1);
  EXPECT_EQ(countRegistered(1, 0), 1);
  EXPECT_EQ(countRegistered(-1, 1), 0);
}

TEST_F(TuningTest, SaysWhatCannotBeTogether) {
  expectRefusal(getConfig(), {makeProgram(0, 8, 0, "first")}, makeProgram(0, 4),
                MOERT_INVALID_ARGUMENT,
                "step: expected programs of one context to be compiled for the "
                "same max_ctas, got 4, and 8 of 'first'; the job's "
                "configuration may say which");
  moert_config config = getConfig();
  config.max_ctas = 4;
  expectRefusal(config, {}, makeProgram(8, 16), MOERT_INVALID_ARGUMENT,
                "expected min_ctas <= max_ctas of the job and the program "
                "together, got 8 and 4");
  expectRefusal(getConfig(), {}, makeProgram(-1, 0), MOERT_INVALID_ARGUMENT,
                "expected min_ctas of a program to be at least 0, got -1");
  expectRefusal(getConfig(), {}, makeProgram(0, 0, 2), MOERT_INVALID_ARGUMENT,
                "expected register_buffers of a program to be at least 0 and "
                "at most 1, got 2");
  library().version = 21600;
  expectRefusal(getConfig(), {}, makeProgram(0, 8), MOERT_UNAVAILABLE,
                "min_ctas, max_ctas and cga_cluster_size need NCCL 2.17 or "
                "later, got 2.16");
  library().version = 21800;
  expectRefusal(getConfig(), {}, makeProgram(0, 0, 1), MOERT_UNAVAILABLE,
                "register_buffers needs NCCL 2.19 or later, got 2.18");
}

} // namespace
