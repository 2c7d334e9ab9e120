// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program as a call of XLA's.
//
// A handler of XLA's FFI around a program that moe-translate compiled, whose
// ranks are devices. Each call of a device is one rank's part of a run.
// Compiled and linked by moe_mlir.compiled_on_cpu, which includes the program's
// header and names the program MOE_RUN, and by compiled_on_gpu, which defines
// MOE_ENQUEUE in its place: what differs between them stands at the end.
//
//===----------------------------------------------------------------------===//

#include "cpu_handlers.h"
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>
#ifdef MOE_ENQUEUE
#include <dlfcn.h>
#endif

namespace ffi = xla::ffi;

namespace {

/// A device's rank, and which of the independent groups of ranks it is in.
struct Place {
  int32_t rank, group;
};

/// What a call is given, as the program takes it.
struct Pointers {
  std::vector<void *> in, out;
};

ffi::Error refuse(const std::string &message) {
  return ffi::Error(ffi::ErrorCode::kInvalidArgument, "moe_mlir: " + message);
}

/// Pointers to the elements of buffers, of which there must be so many of such
/// sizes; what is wrong with them.
template <typename Buffers>
std::string take(const Buffers &buffers, size_t count, const int64_t *bytes,
                 const char *what, std::vector<void *> &pointers) {
  for (size_t i = 0; i < count; ++i) {
    auto buffer = buffers.template get<ffi::AnyBuffer>(i);
    if (!buffer.has_value())
      return buffer.error().message();
    size_t size;
    void *data;
    if constexpr (std::is_same_v<Buffers, ffi::RemainingRets>) {
      size = (*buffer)->size_bytes();
      data = (*buffer)->untyped_data();
    } else {
      size = buffer->size_bytes();
      data = buffer->untyped_data();
    }
    if (size != static_cast<size_t>(bytes[i]))
      return std::string(what) + " " + std::to_string(i) + ": expected " +
             std::to_string(bytes[i]) + " bytes, got " + std::to_string(size);
    pointers.push_back(data);
  }
  return "";
}

/// Checks the buffers of a call, of which `numMore` results are not the
/// program's.
ffi::Error takeAll(ffi::Buffer<ffi::S32> place, ffi::RemainingArgs arguments,
                   ffi::RemainingRets results, size_t numMore,
                   Pointers &pointers) {
  if (place.element_count() != 2 || arguments.size() != MOE_NUM_INPUTS ||
      results.size() != MOE_NUM_RESULTS + numMore)
    return refuse("expected a rank with its group, " +
                  std::to_string(MOE_NUM_INPUTS) + " arguments and " +
                  std::to_string(MOE_NUM_RESULTS + numMore) + " results");
  std::string problem =
      take(arguments, MOE_NUM_INPUTS, MOE_INPUT_BYTES, "argument", pointers.in);
  if (problem.empty())
    problem = take(results, MOE_NUM_RESULTS, MOE_RESULT_BYTES, "result",
                   pointers.out);
  return problem.empty() ? ffi::Error::Success() : refuse(problem);
}

ffi::Error checkRank(Place place) {
  if (place.rank >= 0 && place.rank < MOE_NUM_RANKS)
    return ffi::Error::Success();
  return refuse("expected a rank below " + std::to_string(MOE_NUM_RANKS) +
                ", got " + std::to_string(place.rank));
}

/// Joins the job of an address where `context` has not. A deadline below 0 is
/// the backend's own.
moert_status join(moert_context *&context, const std::string &address,
                  const char *backend, int32_t rank, int32_t device,
                  int64_t timeoutMs) {
  if (context)
    return MOERT_OK;
  moert_config config;
  moert_config_default(&config);
  config.backend = backend;
  config.address = address.c_str();
  config.rank = rank;
  config.world_size = MOE_NUM_RANKS;
  config.device = device;
  config.deadline_us =
      timeoutMs < 0 ? MOERT_DEADLINE_DEFAULT : timeoutMs * 1000;
  return moert_init(&config, &context);
}

/// What became of a run, for XLA. The others would wait for a rank that failed.
ffi::Error report(moert_context *context, moert_status status) {
  if (status == MOERT_OK)
    return ffi::Error::Success();
  std::string said = moert_last_error(context);
  if (context)
    moert_abort(context, said.c_str());
  return ffi::Error(ffi::ErrorCode::kDeadlineExceeded, "moe_mlir: " + said);
}

#ifndef MOE_ENQUEUE

//===----------------------------------------------------------------------===//
// Devices are CPU threads: the ranks that are in one run of XLA's meet in one
// job of libmoert's backend of threads, and a job that nobody is in serves the
// next run. A rank that never comes ends in an error before XLA ends the
// process for it (40 s).
//===----------------------------------------------------------------------===//

/// A job of libmoert and what its ranks keep between runs. Contexts are never
/// freed: their streams may be at work until the process ends.
struct Job {
  std::string address;
  moert_context *contexts[MOE_NUM_RANKS] = {};
  /// Ranks inside of a run.
  int inside = 0;
  bool hasFailed = false;
};

/// Which op, which run, and which of its independent groups of ranks.
using Key = std::tuple<const ExecutableOp *, int64_t, int64_t>;

// Never destroyed: a thread may be at work when the process ends.
std::mutex jobsMutex;
auto &running = *new std::map<Key, Job *>;
auto &idle = *new std::vector<Job *>;

Job *enter(const Key &key) {
  std::lock_guard<std::mutex> lock(jobsMutex);
  Job *&job = running[key];
  if (!job && !idle.empty()) {
    job = idle.back();
    idle.pop_back();
  }
  if (!job) {
    static int64_t count = 0;
    job = new Job;
    job->address = "moe-compiled-" +
                   std::to_string(reinterpret_cast<uintptr_t>(&running)) + "-" +
                   std::to_string(count++);
  }
  ++job->inside;
  return job;
}

void leave(const Key &key, Job *job, bool hasFailed) {
  std::lock_guard<std::mutex> lock(jobsMutex);
  job->hasFailed |= hasFailed;
  if (--job->inside > 0)
    return;
  running.erase(key);
  if (!job->hasFailed)
    idle.push_back(job);
}

/// Runs one rank's part.
ffi::Error runRank(const Key &key, int32_t rank, Pointers pointers,
                   int64_t timeoutMs) {
  Job *job = enter(key);
  moert_context *&context = job->contexts[rank];
  moert_status status =
      join(context, job->address, "host", rank, -1, timeoutMs);
  if (status == MOERT_OK)
    status = static_cast<moert_status>(
        MOE_RUN(context, pointers.in.data(), pointers.out.data()));
  ffi::Error error = report(context, status);
  leave(key, job, status != MOERT_OK);
  return error;
}

ffi::Future run(ffi::RunId id, ExecutableOp *op, ffi::Buffer<ffi::S32> place,
                ffi::RemainingArgs arguments, ffi::RemainingRets results,
                int64_t timeoutMs) {
  Pointers pointers;
  ffi::Error error = takeAll(place, arguments, results, 0, pointers);
  if (error.failure())
    return refuseCall(error);
  Place own{place.typed_data()[0], place.typed_data()[1]};
  error = checkRank(own);
  if (error.failure())
    return refuseCall(error);

  Key key(op, id.run_id, own.group);
  return runOnThread(
      [=] { return runRank(key, own.rank, pointers, timeoutMs); });
}

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(MoeRunCompiled, run,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::RunId>()
                                  .Ctx<ffi::State<ExecutableOp>>()
                                  .Arg<ffi::Buffer<ffi::S32>>()
                                  .RemainingArgs()
                                  .RemainingRets()
                                  .Attr<int64_t>("timeout_ms"));

MOE_DEFINE_EXECUTABLE_OP()

#else

//===----------------------------------------------------------------------===//
// Devices are GPUs: a run is put behind what is on XLA's stream, and the call
// returns. XLA gives a device its calls in the order of the program, so all
// runs of a group are one job, which ends with the process. A failure stays:
// each later call says it again.
//===----------------------------------------------------------------------===//

/// One rank in a job.
struct Rank {
  std::mutex mutex; // a context is called by one thread at a time
  moert_context *context = nullptr;
  std::map<void *, moert_stream *> streams;
};

struct Job {
  std::string address;
  Rank ranks[MOE_NUM_RANKS];
};

std::mutex jobsMutex;
std::map<int32_t, Job> jobs; // by group; with an address before the first call

/// The two calls of the driver that it takes to read a number of a device.
struct Driver {
  int (*copy)(unsigned long long, unsigned long long, size_t, void *) = nullptr;
  int (*synchronize)(void *) = nullptr;

  Driver() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      return;
    *reinterpret_cast<void **>(&copy) = dlsym(library, "cuMemcpyAsync");
    *reinterpret_cast<void **>(&synchronize) =
        dlsym(library, "cuStreamSynchronize");
  }
};

/// Where the devices of an executable are in the program's mesh: it stays, so
/// each device is waited for once. XLA keeps it with the executable.
struct Places {
  static ffi::TypeId id;
  std::mutex mutex;
  std::map<int32_t, Place> ofDevice;

  ffi::Error find(int32_t device, const void *data, void *stream,
                  Place &place) {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = ofDevice.find(device);
    if (known == ofDevice.end()) {
      static Driver driver;
      if (!driver.copy || !driver.synchronize)
        return refuse("expected the CUDA driver, libcuda.so.1, where XLA has a "
                      "stream of CUDA's");
      int status =
          driver.copy(reinterpret_cast<uintptr_t>(&place),
                      reinterpret_cast<uintptr_t>(data), sizeof(place), stream);
      if (!status)
        status = driver.synchronize(stream);
      if (status)
        return refuse("the CUDA driver's error " + std::to_string(status) +
                      " when a device's rank was read");
      known = ofDevice.emplace(device, place).first;
    }
    place = known->second;
    return ffi::Error::Success();
  }
};
ffi::TypeId Places::id = {};

ffi::ErrorOr<std::unique_ptr<Places>> makePlaces() {
  return std::make_unique<Places>();
}

ffi::Error run(void *stream, int32_t device, Places *places,
               ffi::Buffer<ffi::S32> place, ffi::RemainingArgs arguments,
               ffi::RemainingRets results, int64_t timeoutMs) {
  Pointers pointers;
  // The workspace is XLA's memory, as results are.
  ffi::Error error = takeAll(place, arguments, results, 1, pointers);
  if (error.failure())
    return error;
  auto workspace = results.get<ffi::AnyBuffer>(MOE_NUM_RESULTS);
  if (!workspace.has_value() ||
      (*workspace)->size_bytes() < static_cast<size_t>(MOE_WORKSPACE_BYTES()))
    return refuse("expected a workspace of " +
                  std::to_string(MOE_WORKSPACE_BYTES()) +
                  " bytes as the last result");
  Place own;
  error = places->find(device, place.untyped_data(), stream, own);
  if (error.success())
    error = checkRank(own);
  if (error.failure())
    return error;

  Job *job;
  {
    std::lock_guard<std::mutex> lock(jobsMutex);
    job = &jobs[own.group];
  }
  Rank &rank = job->ranks[own.rank];
  std::lock_guard<std::mutex> lock(rank.mutex);
  moert_status status =
      join(rank.context, job->address, "nccl", own.rank, device, timeoutMs);
  moert_stream *&adopted = rank.streams[stream];
  if (status == MOERT_OK && !adopted)
    status = moert_stream_adopt(rank.context, "xla", stream, &adopted);
  if (status == MOERT_OK)
    status = static_cast<moert_status>(
        MOE_ENQUEUE(rank.context, adopted, pointers.in.data(),
                    pointers.out.data(), (*workspace)->untyped_data()));
  return report(rank.context, status);
}

constexpr ffi::TypeInfo placesInfo = ffi::MakeTypeInfo<Places>();

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(MoeMakePlaces, makePlaces,
                              ffi::Ffi::BindInstantiate());

XLA_FFI_DEFINE_HANDLER_SYMBOL(MoeRunCompiled, run,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::PlatformStream<void *>>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Ctx<ffi::State<Places>>()
                                  .Arg<ffi::Buffer<ffi::S32>>()
                                  .RemainingArgs()
                                  .RemainingRets()
                                  .Attr<int64_t>("timeout_ms"));

/// The type that XLA keeps with an executable, to be registered.
extern "C" ffi::TypeId *MoePlacesId() { return &Places::id; }
extern "C" const ffi::TypeInfo *MoePlacesInfo() { return &placesInfo; }

/// Where the ranks of a group meet, HOST:PORT, unless that was said before.
extern "C" void MoeMeetAt(int32_t group, const char *address) {
  std::lock_guard<std::mutex> lock(jobsMutex);
  Job &job = jobs[group];
  if (job.address.empty())
    job.address = address;
}

extern "C" int64_t MoeWorkspaceBytes() { return MOE_WORKSPACE_BYTES(); }

#endif
