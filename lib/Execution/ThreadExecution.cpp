// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs on threads of this process.

#include "moe/Execution/ThreadExecution.h"
#include "moe/Execution/RankBuffers.h"
#include <arpa/inet.h>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlir;
using namespace moe;
using cost::Failure;
using cost::Result;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// A port of the loopback interface that is reserved while this object exists.
class LoopbackPort {
public:
  static Result<LoopbackPort> reserve() {
    LoopbackPort port;
    port.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto *address = reinterpret_cast<sockaddr *>(&place);
    // The socket is bound but not listening, and the address is reusable,
    // because rank 0 listens on it.
    int one = 1;
    if (port.socket < 0 ||
        setsockopt(port.socket, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
        bind(port.socket, address, size) ||
        getsockname(port.socket, address, &size))
      return Failure{std::string("expected a free port of 127.0.0.1, where "
                                 "ranks meet, got none: ") +
                     std::strerror(errno)};
    port.number = ntohs(place.sin_port);
    return port;
  }
  LoopbackPort(LoopbackPort &&other)
      : socket(std::exchange(other.socket, -1)), number(other.number) {}
  ~LoopbackPort() {
    if (socket >= 0)
      close(socket);
  }
  std::string getAddress() const {
    return "127.0.0.1:" + std::to_string(number);
  }

private:
  LoopbackPort() = default;
  int socket = -1;
  int number = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

/// Executes one rank in its job; returns its failure.
using RankBody = llvm::function_ref<std::optional<Failure>(Job &, int64_t)>;

/// Returns the rank that caused the failure of the others, or else the first
/// rank that failed.
static std::optional<size_t>
findCause(ArrayRef<std::optional<Failure>> failures) {
  std::optional<size_t> first;
  for (auto [rank, failure] : llvm::enumerate(failures)) {
    if (!failure)
      continue;
    if (!StringRef(failure->message)
             .starts_with(moert_status_name(MOERT_ABORTED)))
      return rank;
    if (!first)
      first = rank;
  }
  return first;
}

/// Runs all ranks of a job with this address, each on its own thread; returns
/// their failure.
static std::optional<Failure> runRanksAt(const std::string &address,
                                         int64_t numRanks,
                                         const ThreadExecutionOptions &options,
                                         RankBody body) {
  std::vector<std::optional<Failure>> failures(numRanks);
  std::optional<Failure> refused = runOnThreads(numRanks, [&](int64_t rank) {
    moert_config config;
    moert_config_default(&config);
    config.backend =
        options.backend == ThreadBackend::NcclStandIns ? "nccl" : "host";
    config.rank = static_cast<int32_t>(rank);
    config.world_size = static_cast<int32_t>(numRanks);
    config.address = address.c_str();
    config.deadline_us = options.deadlineUs;
    options.nccl.apply(config);
    Result<std::unique_ptr<Job>> job = Job::join(config);
    if (!job)
      failures[rank] = job.getFailure();
    else if (options.onJoined)
      failures[rank] = options.onJoined(**job);
    if (job && !failures[rank])
      failures[rank] = body(**job, rank);
    if (job && failures[rank])
      (*job)->leaveSoon();
  });
  if (refused)
    return refused;
  std::optional<size_t> rank = findCause(failures);
  if (!rank)
    return std::nullopt;
  return Failure{"rank " + std::to_string(*rank) +
                 " failed: " + failures[*rank]->message};
}

/// Sets the number of devices of the stand-ins to the number of ranks, because
/// each rank needs its own device. Fails if the user has set a smaller number,
/// because ranks would wait for each other's devices.
static std::optional<Failure> provideDevices(int64_t numRanks) {
  static constexpr const char *kVariable = "MOERT_STAND_IN_DEVICES";
  const char *given = std::getenv(kVariable);
  if (!given)
    setenv(kVariable, std::to_string(numRanks).c_str(), /*overwrite=*/0);
  else if (std::atoll(given) < numRanks)
    return Failure{std::string(kVariable) + ": expected at least " +
                   std::to_string(numRanks) +
                   " devices, one for each rank, got '" + given + "'"};
  return std::nullopt;
}

/// Runs all ranks of a program. Emits an error and fails if any rank fails.
static LogicalResult runRanks(const Program &program,
                              const ThreadExecutionOptions &options,
                              RankBody body) {
  std::optional<Failure> failure;
  if (options.backend == ThreadBackend::NcclStandIns)
    failure = provideDevices(program.getNumRanks());
  if (failure) {
    // The error is emitted below.
  } else if (options.backend == ThreadBackend::Host) {
    // No other job of this process has this name.
    std::string name =
        "moe-run-" + std::to_string(reinterpret_cast<uintptr_t>(&failure));
    failure = runRanksAt(name, program.getNumRanks(), options, body);
  } else if (Result<LoopbackPort> port = LoopbackPort::reserve()) {
    failure =
        runRanksAt(port->getAddress(), program.getNumRanks(), options, body);
  } else {
    failure = port.getFailure();
  }
  if (failure)
    return program.getEntry().emitError() << failure->message;
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

namespace {
/// Arguments and results of all ranks, in memory that the streams of a backend
/// can access.
class ThreadBuffers {
public:
  static FailureOr<ThreadBuffers>
  create(const Program &program, Domain &domain, MemoryBudget &budget,
         const ThreadExecutionOptions &options) {
    std::vector<int64_t> ranks(program.getNumRanks());
    std::iota(ranks.begin(), ranks.end(), int64_t(0));
    FailureOr<RankBuffers> buffers =
        RankBuffers::create(program, domain, budget, ranks);
    if (failed(buffers))
      return failure();
    return ThreadBuffers(std::move(*buffers),
                         options.backend == ThreadBackend::NcclStandIns);
  }

  /// Calls `work` with the buffers of `rank`.
  std::optional<Failure>
  use(Job &job, int64_t rank,
      llvm::function_ref<std::optional<Failure>(ArrayRef<void *> inputs,
                                                ArrayRef<void *> results)>
          work) {
    if (!onDevice)
      return work(buffers.getInputs(rank), buffers.getResults(rank));
    Result<std::unique_ptr<DeviceBuffers>> device =
        DeviceBuffers::create(job, buffers, rank);
    if (!device)
      return device.getFailure();
    std::optional<Failure> failure =
        work((*device)->getInputs(), (*device)->getResults());
    if (!failure)
      failure = (*device)->copyResults();
    // Leaks the memory, because streams may still execute the program.
    if (failure)
      (void)device->release();
    return failure;
  }

  FailureOr<std::vector<RankTensors>> takeResults() const {
    return buffers.takeResults();
  }

  /// Leaks the memory after a failure, because streams may still execute the
  /// program.
  static void keepForever(ThreadBuffers buffers) {
    [[maybe_unused]] auto *kept = new RankBuffers(std::move(buffers.buffers));
  }

private:
  ThreadBuffers(RankBuffers buffers, bool onDevice)
      : buffers(std::move(buffers)), onDevice(onDevice) {}
  RankBuffers buffers;
  bool onDevice;
};
} // namespace

FailureOr<std::vector<RankTensors>>
moe::executeOnThreads(const Program &program, Domain &domain,
                      MemoryBudget &budget,
                      const ThreadExecutionOptions &options) {
  CompiledProgram::Options compilation;
  if (options.backend == ThreadBackend::NcclStandIns)
    compilation.target = CompileTarget::NcclStandIns;
  FailureOr<CompiledProgram> compiled =
      CompiledProgram::compile(program, compilation);
  if (failed(compiled))
    return failure();
  FailureOr<ThreadBuffers> buffers =
      ThreadBuffers::create(program, domain, budget, options);
  if (failed(buffers))
    return failure();
  LogicalResult ran = runRanks(program, options, [&](Job &job, int64_t rank) {
    if (std::optional<Failure> failure = compiled->prepare(job))
      return failure;
    return buffers->use(job, rank,
                        [&](ArrayRef<void *> inputs, ArrayRef<void *> results) {
                          std::optional<Failure> failure;
                          int left = options.nccl.getNumRuns();
                          for (; left > 0 && !failure; --left)
                            failure = compiled->run(job, inputs, results);
                          return failure;
                        });
  });
  if (failed(ran)) {
    ThreadBuffers::keepForever(std::move(*buffers));
    return failure();
  }
  return buffers->takeResults();
}

FailureOr<Measurement>
moe::measureOnThreads(const Program &program, const CompiledProgram &compiled,
                      Domain &domain, MemoryBudget &budget, int64_t repeats,
                      const ThreadExecutionOptions &options) {
  FailureOr<ThreadBuffers> buffers =
      ThreadBuffers::create(program, domain, budget, options);
  if (failed(buffers))
    return failure();
  Measurement measurement;
  LogicalResult ran = runRanks(program, options, [&](Job &job, int64_t rank) {
    if (std::optional<Failure> failure = compiled.prepare(job))
      return failure;
    return buffers->use(job, rank,
                        [&](ArrayRef<void *> inputs, ArrayRef<void *> results)
                            -> std::optional<Failure> {
                          Result<Measurement> own =
                              compiled.measure(job, inputs, results, repeats);
                          if (!own)
                            return own.getFailure();
                          // Only rank 0 has the whole measurement.
                          if (rank == 0)
                            measurement = std::move(*own);
                          return std::nullopt;
                        });
  });
  if (failed(ran)) {
    ThreadBuffers::keepForever(std::move(*buffers));
    return failure();
  }
  return measurement;
}
