// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the ranks of a packed program and compares its results.
//
// usage: runner PROGRAM.so FOLDER REPEATS [graph] [registered] [threads]
//
// pack.py writes FOLDER. It contains `table`, with a line for the program's
// name and ranks and a line `input|result BYTES TYPE` for each buffer, in
// order, and the files in<i>.<rank> and out<i>.<rank> of raw elements, if
// results are known. The launcher's variables give the rank of this process;
// with `threads` all ranks are threads of this process, as the CPU emulation of
// NCCL requires. Rank 0 prints one line: the median and least time of a run in
// microseconds, and the greatest relative difference. Exit code 0: equal within
// the tolerance; 1: not equal; 2: a call failed.

#include "moert.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {
struct Buffer {
  bool isResult;
  size_t bytes;
  std::string type;
  moert_buffer *host = nullptr, *device = nullptr;
};

[[noreturn]] void fail(const std::string &what, moert_context *context) {
  std::fprintf(stderr, "runner: %s: %s\n", what.c_str(),
               moert_last_error(context));
  std::exit(2);
}

/// Returns the bytes of a file; empty if there is none.
std::vector<char> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

double load(const std::string &type, const char *at) {
  if (type == "f32") {
    float value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  if (type == "bf16") {
    uint16_t half;
    std::memcpy(&half, at, sizeof(half));
    uint32_t bits = uint32_t{half} << 16;
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  if (type == "i32") {
    int32_t value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  std::fprintf(stderr, "runner: expected f32, bf16 or i32, got %s\n",
               type.c_str());
  std::exit(2);
}

/// Returns the greatest difference of an element divided by the greatest
/// expected magnitude of its buffer; a NaN or an infinity counts as infinite.
double compare(const Buffer &buffer, const std::vector<char> &expected) {
  size_t unit = buffer.type == "bf16" ? 2 : 4;
  const char *got = static_cast<const char *>(moert_buffer_data(buffer.host));
  double most = 0, difference = 0;
  for (size_t at = 0; at + unit <= buffer.bytes; at += unit) {
    double want = load(buffer.type, &expected[at]);
    double have = load(buffer.type, got + at);
    most = std::max(most, std::abs(want));
    if (!std::isfinite(have))
      return INFINITY;
    difference = std::max(difference, std::abs(want - have));
  }
  return difference == 0 ? 0 : difference / (most == 0 ? 1 : most);
}

/// A packed program, as described by its table.
struct Program {
  std::string folder, name;
  int ranks = 0;
  double tolerance = 0;
  std::vector<Buffer> buffers;
  int32_t (*run)(moert_context *, void **, void **) = nullptr;
};

/// Returns true if the results of one rank are within the tolerance.
bool runRank(const Program &program, const moert_config &config, int repeats) {
  std::vector<Buffer> buffers = program.buffers;
  const std::string &folder = program.folder, &name = program.name;
  moert_context *context = nullptr;
  if (moert_init(&config, &context) != MOERT_OK)
    fail("moert_init", nullptr);
  auto require = [&](moert_status status, const char *call) {
    if (status != MOERT_OK)
      fail(call, context);
  };
  moert_stream *stream = nullptr;
  require(moert_stream_create(context, "runner", 0, &stream), "stream");
  std::vector<void *> inputs, results;
  std::string rank = std::to_string(config.rank);
  for (Buffer &buffer : buffers) {
    require(moert_buffer_create(context, buffer.bytes, MOERT_MEMORY_HOST,
                                &buffer.host),
            "buffer");
    require(moert_buffer_create(context, buffer.bytes, MOERT_MEMORY_DEVICE,
                                &buffer.device),
            "buffer");
    auto &list = buffer.isResult ? results : inputs;
    size_t number = list.size();
    list.push_back(moert_buffer_data(buffer.device));
    if (buffer.isResult)
      continue;
    std::vector<char> bytes =
        read(folder + "/in" + std::to_string(number) + "." + rank);
    char *host = static_cast<char *>(moert_buffer_data(buffer.host));
    // Large programs, which are only timed, have the same small numbers
    // everywhere.
    if (bytes.size() == buffer.bytes)
      std::copy(bytes.begin(), bytes.end(), host);
    else
      for (size_t i = 0; i < buffer.bytes; ++i)
        host[i] = buffer.type == "bf16"  ? (i % 2 ? 0x3c : i % 61)
                  : buffer.type == "f32" ? (i % 4 == 3 ? 0x3c : i % 61)
                                         : 0;
    require(moert_copy(stream, list.back(), host, buffer.bytes), "copy");
  }
  require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "wait");
  std::vector<double> us;
  // The first run allocates persistent objects, and the second one a graph.
  for (int i = 0; i < repeats + 2; ++i) {
    auto begin = std::chrono::steady_clock::now();
    require(static_cast<moert_status>(
                program.run(context, inputs.data(), results.data())),
            name.c_str());
    std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - begin;
    if (i >= 2)
      us.push_back(took.count());
  }
  double worst = 0;
  bool isKnown = false;
  size_t number = 0;
  for (Buffer &buffer : buffers) {
    if (!buffer.isResult)
      continue;
    std::vector<char> expected =
        read(folder + "/out" + std::to_string(number++) + "." + rank);
    if (expected.size() != buffer.bytes || buffer.bytes == 0)
      continue;
    isKnown = true;
    require(moert_copy(stream, moert_buffer_data(buffer.host),
                       moert_buffer_data(buffer.device), buffer.bytes),
            "copy");
    require(moert_stream_synchronize(stream, MOERT_DEADLINE_DEFAULT), "wait");
    worst = std::max(worst, compare(buffer, expected));
  }
  require(moert_finalize(context, MOERT_DEADLINE_DEFAULT), "moert_finalize");
  std::sort(us.begin(), us.end());
  if (config.rank == 0)
    std::printf("%.1f us, least %.1f us, %s\n", us[us.size() / 2], us.front(),
                isKnown ? ("difference " + std::to_string(worst)).c_str()
                        : "not compared");
  return !isKnown || worst <= program.tolerance;
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: runner PROGRAM.so FOLDER REPEATS "
                         "[graph] [registered] [threads]\n");
    return 2;
  }
  Program program;
  program.folder = argv[2];
  int repeats = std::max(1, std::atoi(argv[3]));
  std::ifstream table(program.folder + "/table");
  std::string line, what;
  std::getline(table, line);
  std::istringstream(line) >> program.name >> program.ranks >> program.tolerance;
  while (std::getline(table, line)) {
    Buffer buffer;
    std::istringstream(line) >> what >> buffer.bytes >> buffer.type;
    buffer.isResult = what == "result";
    program.buffers.push_back(buffer);
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library)
    program.run = reinterpret_cast<decltype(program.run)>(
        dlsym(library, ("moe_" + program.name).c_str()));
  if (!program.run) {
    std::fprintf(stderr, "runner: %s\n", dlerror());
    return 2;
  }
  moert_config config;
  moert_config_default(&config);
  config.backend = "nccl";
  if (moert_config_from_environment(&config) != MOERT_OK)
    fail("moert_config_from_environment", nullptr);
  bool inThreads = false;
  for (int i = 4; i < argc; ++i) {
    config.cuda_graph |= !std::strcmp(argv[i], "graph");
    config.register_buffers |= !std::strcmp(argv[i], "registered");
    inThreads |= !std::strcmp(argv[i], "threads");
  }
  if (!inThreads)
    return runRank(program, config, repeats) ? 0 : 1;
  std::vector<std::thread> threads;
  std::vector<char> good(program.ranks);
  config.world_size = program.ranks;
  for (int rank = 0; rank < program.ranks; ++rank)
    threads.emplace_back([&, own = config, rank]() mutable {
      own.rank = own.local_rank = rank;
      good[rank] = runRank(program, own, repeats);
    });
  for (std::thread &thread : threads)
    thread.join();
  return std::find(good.begin(), good.end(), 0) == good.end() ? 0 : 1;
}
