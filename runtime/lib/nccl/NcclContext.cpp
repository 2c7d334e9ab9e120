// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks with GPUs.

#include "nccl/NcclContext.h"
#include "core/CallerState.h"
#include "nccl/GroupedTiles.h"
#include "nccl/KernelErrors.h"
#include "nccl/NcclComm.h"
#include "nccl/NcclStream.h"
#include <algorithm>
#include <sched.h>
#include <unistd.h>

using namespace moert;
using namespace moert::nccl;

namespace {
struct NcclBuffer : moert_buffer {
  NcclBuffer(NcclContext &context, moert_memory_space space)
      : nccl(context), space(space) {}
  ~NcclBuffer() override {
    if (!nccl.enter().ok())
      return;
    if (space == MOERT_MEMORY_HOST) {
      nccl.driver().MemFreeHost(data);
    } else if (isRegistered) {
      nccl.registration.removeMemory(data);
      nccl.nccl().MemFree(data);
    } else {
      nccl.driver().MemFree(reinterpret_cast<cuda::Pointer>(data));
    }
  }
  NcclContext &nccl;
  const moert_memory_space space;
  /// Whether NCCL allocated the memory, which is registered with communicators.
  bool isRegistered = false;
};
} // namespace

static void *saveContext() {
  static std::string reason;
  static const cuda::Driver *driver = cuda::loadDriver(reason);
  cuda::Context current = nullptr;
  driver->CtxGetCurrent(&current);
  return current;
}

static void restoreContext(void *context) {
  static std::string reason;
  static const cuda::Driver *driver = cuda::loadDriver(reason);
  if (saveContext() != context)
    driver->CtxSetCurrent(static_cast<cuda::Context>(context));
}

static const CallerState::Hooks callerHooks{saveContext, restoreContext};

Status NcclContext::create(const moert_config &config, Deadline deadline,
                           moert_context **context) {
  // If there is no driver, there is no state to restore.
  std::string reason;
  if (cuda::loadDriver(reason))
    CallerState::use(&callerHooks);
  CallerState caller;
  std::unique_ptr<NcclContext> made(new NcclContext);
  made->rank = config.rank;
  made->worldSize = config.world_size;
  made->deadlineUs = config.deadline_us;
  Status status = made->start(config, deadline);
  if (status.ok())
    *context = made.release();
  return status;
}

Status NcclContext::start(const moert_config &config, Deadline deadline) {
  std::string reason;
  cudaDriver = cuda::loadDriver(reason);
  if (cudaDriver)
    ncclLibrary = loadNccl(reason);
  if (!cudaDriver || !ncclLibrary)
    return Status(MOERT_UNAVAILABLE, reason);
  if (config.cuda_graph && !cudaDriver->hasGraphs())
    return error(MOERT_UNAVAILABLE,
                 "cuda_graph needs a CUDA driver for CUDA 11.4 or later, got "
                 "%d.%d in %s",
                 cudaDriver->version / 1000, cudaDriver->version % 1000 / 10,
                 cudaDriver->path.c_str());
  int count = 0;
  Status status = tuning.start(config, *ncclLibrary);
  if (status.ok())
    status = cudaDriver->check(cudaDriver->DeviceGetCount(&count),
                               "cuDeviceGetCount");
  if (!status.ok())
    return status;
  // Launchers may place ranks on nodes in any order, so only the local rank
  // distinguishes ranks of one node. A process that sees only one device uses
  // it.
  int ordinal =
      config.device >= 0
          ? config.device
          : (config.local_rank >= 0 ? config.local_rank : config.rank) % count;
  std::string who =
      format("rank %d, ", config.rank) +
      (config.local_rank >= 0 ? format("local rank %d", config.local_rank)
                              : "local rank unknown");
  if (ordinal >= count)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a device in [0, %d), got %d (%s)", count, ordinal,
                 who.c_str());
  status = cudaDriver->check(
      cudaDriver->DeviceGet(&device, ordinal),
      format("cuDeviceGet of device %d (%s)", ordinal, who.c_str()).c_str());
  int architecture = 0;
  if (status.ok())
    status = cudaDriver->findArchitecture(device, architecture);
  programImages = std::make_unique<KernelImages>(*cudaDriver, architecture);
  if (status.ok())
    status = cudaDriver->check(
        cudaDriver->DevicePrimaryCtxRetain(&cudaContext, device),
        format("cuDevicePrimaryCtxRetain of device %d (%s)", ordinal,
               who.c_str())
            .c_str());
  if (status.ok())
    status = enter();
  void *memory = nullptr;
  if (status.ok())
    status = cudaDriver->check(
        cudaDriver->MemAllocHost(&memory, sizeof(cuda::Error)),
        "cuMemAllocHost");
  if (!status.ok())
    return status;
  kernelError = new (memory) cuda::Error{};
  // A job without kernels can still move data; a kernel launch reports the
  // reason.
  kernels = cuda::loadKernels(*cudaDriver, whyNoKernels);
  if (status.ok() && kernels)
    status =
        cuda::loadGroupedKernels(*cudaDriver, architecture, groupedKernels);
  if (status.ok())
    status = Member::join(config, deadline, member);
  if (status.ok())
    watcher = std::thread([this] { monitor(); });
  return status;
}

NcclContext::~NcclContext() {
  stopping.store(true);
  if (watcher.joinable())
    watcher.join();
  if (member)
    world.end(getFailure().ok());
  member.reset();
  if (!cudaContext || !enter().ok())
    return;
  programImages->unload();
  for (cuda::Event event : spareEvents)
    cudaDriver->EventDestroy(event);
  for (cuda::Module module : {groupedKernels, kernels})
    if (module)
      cudaDriver->ModuleUnload(module);
  if (kernelError)
    cudaDriver->MemFreeHost(kernelError);
  cudaDriver->DevicePrimaryCtxRelease(device);
}

Status NcclContext::enter() {
  return cudaDriver->check(cudaDriver->CtxSetCurrent(cudaContext),
                           "cuCtxSetCurrent");
}

Status NcclContext::loadImages(const ProgramImages &images) {
  Status status = enter();
  return status.ok() ? programImages->load(images) : status;
}

Status NcclContext::find(cuda::Module module, const std::string &kernel,
                         const std::function<Status(cuda::Function)> &prepare,
                         cuda::Function &function) {
  std::lock_guard<std::mutex> lock(kernelMutex);
  auto known = functions.find(kernel);
  if (known == functions.end()) {
    cuda::Function found = nullptr;
    Status status = cudaDriver->check(
        cudaDriver->ModuleGetFunction(&found, module, kernel.c_str()),
        kernel.c_str());
    if (status.ok() && prepare)
      status = prepare(found);
    if (!status.ok())
      return status;
    known = functions.emplace(kernel, found).first;
  }
  function = known->second;
  return {};
}

Status NcclContext::launch(const char *kernel, unsigned blocks,
                           unsigned threads, size_t sharedBytes,
                           cuda::Stream stream, void **parameters) {
  if (!kernels)
    return error(MOERT_UNAVAILABLE, "%s: %s", kernel, whyNoKernels.c_str());
  cuda::Function function = nullptr;
  Status status = find(kernels, kernel, nullptr, function);
  if (!status.ok())
    return status;
  return cudaDriver->check(
      cudaDriver->LaunchKernel(function, blocks, 1, 1, threads, 1, 1,
                               static_cast<unsigned>(sharedBytes), stream,
                               parameters, nullptr),
      kernel);
}

Status NcclContext::launchGrouped(const std::string &kernel, unsigned blocks,
                                  cuda::Stream stream, void **parameters) {
  auto allowMemory = [&](cuda::Function function) {
    constexpr int kMaxDynamicSharedSizeBytes = 8;
    return cudaDriver->check(
        cudaDriver->FuncSetAttribute(function, kMaxDynamicSharedSizeBytes,
                                     cuda::kGroupedSharedBytes),
        "cuFuncSetAttribute of a kernel's shared memory");
  };
  cuda::Function function = nullptr;
  Status status = find(groupedKernels, kernel, allowMemory, function);
  if (!status.ok())
    return status;
  return cudaDriver->check(
      cudaDriver->LaunchKernel(function, blocks, 1, 1, cuda::kGroupedThreads, 1,
                               1, cuda::kGroupedSharedBytes, stream, parameters,
                               nullptr),
      kernel.c_str());
}

//===----------------------------------------------------------------------===//
// The end of the job
//===----------------------------------------------------------------------===//

Status NcclContext::fail(const Status &status) {
  member->fail(status, {rank});
  return getFailure();
}

Status NcclContext::abort(const std::string &reason) {
  member->fail(
      error(MOERT_ABORTED, "rank %d aborted the job: %s", rank, reason.c_str()),
      {rank});
  return {};
}

Status NcclContext::exchange(const std::string &name, const std::string &own,
                             Deadline deadline, std::vector<std::string> &all) {
  Status status = member->exchange(name, own, deadline, all);
  for (size_t i = 0; status.ok() && i < all.size(); ++i)
    if (all[i].size() != own.size())
      return fail(error(MOERT_MISMATCH,
                        "%s: expected %zu bytes of every rank, got %zu of rank "
                        "%zu",
                        name.c_str(), own.size(), all[i].size(), i));
  return status;
}

Status NcclContext::getFailure() const {
  Status status = member->getFailure().getStatusOf(rank);
  if (status.ok() || numAdopted.load() == 0)
    return status;
  return Status(status.getCode(),
                status.getMessage() +
                    "; communicators of the caller's are left alone: what is "
                    "under way on them ends when the caller aborts them");
}

void NcclContext::watch(NcclComm *comm, bool isNew) {
  std::lock_guard<std::mutex> lock(watchMutex);
  if (isNew)
    watched.insert(comm);
  else
    watched.erase(comm);
}

/// Reports an error that a kernel found as the error of this rank.
void NcclContext::checkKernels() {
  int code = __atomic_load_n(&kernelError->code, __ATOMIC_ACQUIRE);
  if (code == cuda::kNoError || member->getFailure().isRaised())
    return;
  (void)fail(error(MOERT_INVALID_ARGUMENT, "rank %d: %s", rank,
                   cuda::describe(*kernelError).c_str()));
}

void NcclContext::monitor() {
  if (!enter().ok())
    return;
  cudaDriver->tolerateCaptures();
  while (!stopping.load()) {
    checkKernels();
    bool isBusy = false;
    {
      std::lock_guard<std::mutex> lock(watchMutex);
      bool failed = member->getFailure().isRaised();
      if (failed)
        world.abort();
      for (NcclComm *comm : watched) {
        if (failed)
          comm->abort();
        else if (comm->check(deadlineUs))
          isBusy = true;
      }
    }
    member->flush();
    usleep(isBusy ? 1000 : 5000);
  }
}

Status NcclContext::wait(const std::function<cuda::Result()> &query,
                         Deadline deadline, const std::string &what,
                         const std::function<std::string()> &explain) {
  Status status = enter();
  if (!status.ok())
    return status;
  // After a failure, the watcher ends the work on the device, except for work
  // on communicators of the caller, which may not end before the caller does.
  constexpr int64_t kAfterFailureUs = 2000000;
  Deadline patience = deadline.extendedBy(kAfterFailureUs);
  bool isKnown = false;
  cuda::Result result;
  for (unsigned round = 0; (result = query()) == cuda::kNotReady; ++round) {
    bool failed = member->getFailure().isRaised();
    if (failed && !std::exchange(isKnown, true) && numAdopted.load() != 0)
      patience = Deadline::inMicroseconds(
          std::min(deadline.remainingUs(), kAfterFailureUs));
    if ((failed ? patience : deadline).hasPassed())
      break;
    if (round < 2000)
      sched_yield();
    else
      usleep(50);
  }
  std::string why = result == cuda::kNotReady ? explain() : "";
  checkKernels();
  // Another thread may have found a failure in the meantime.
  status = getFailure();
  if (!status.ok())
    return status;
  if (result == cuda::kNotReady)
    return error(MOERT_DEADLINE_EXCEEDED,
                 "%s did not end before the deadline: %s", what.c_str(),
                 why.c_str());
  if (result == cuda::kSuccess)
    return {};
  return fail(error(MOERT_BACKEND_ERROR, "rank %d: %s: %s", rank, what.c_str(),
                    cudaDriver->describe(result).c_str()));
}

Status NcclContext::settle(Comm comm, Result result, const char *what,
                           Deadline deadline) {
  for (unsigned round = 0; result == kInProgress; ++round) {
    Status failure = getFailure();
    if (!failure.ok())
      return failure;
    if (deadline.hasPassed())
      return fail(error(MOERT_DEADLINE_EXCEEDED,
                        "%s did not end before the deadline", what));
    if (round < 1000)
      sched_yield();
    else
      usleep(100);
    if (Result asked = ncclLibrary->CommGetAsyncError(comm, &result);
        asked != kSuccess) {
      result = asked;
      break;
    }
  }
  if (result == kSuccess)
    return {};
  // If the watcher aborted the communicator, report the failure of the job.
  if (Status failure = getFailure(); !failure.ok())
    return failure;
  return fail(error(MOERT_BACKEND_ERROR, "rank %d: %s: %s", rank, what,
                    explain(comm, result).c_str()));
}

std::string NcclContext::explain(Comm comm, Result result) const {
  const char *last = comm ? ncclLibrary->GetLastError(comm) : nullptr;
  return format("NCCL error %d (%s)%s%s", result,
                ncclLibrary->GetErrorString(result),
                last && *last ? ": " : "", last ? last : "");
}

Status NcclContext::makeId(UniqueId &id) const {
  Result result = ncclLibrary->GetUniqueId(&id);
  if (result == kSuccess)
    return {};
  return error(MOERT_BACKEND_ERROR, "ncclGetUniqueId: %s",
               explain(nullptr, result).c_str());
}

Status NcclContext::leave(Deadline deadline, bool &destroyable) {
  destroyable = true;
  Status status;
  for (moert_stream *stream : streams) {
    Status own = stream->synchronize(deadline);
    status = status.ok() ? own : status;
    if (!stream->drain(Deadline::inMicroseconds(0)))
      destroyable = false;
  }
  Status failure = getFailure();
  if (!destroyable && failure.ok())
    (void)fail(status);
  if (!destroyable)
    member->release();
  return failure.ok() ? status : failure;
}

//===----------------------------------------------------------------------===//
// Objects of a context
//===----------------------------------------------------------------------===//

Status NcclContext::createStream(const char *name, int32_t priority,
                                 moert_stream **stream) {
  cuda::Stream handle = nullptr;
  int least = 0, greatest = 0;
  Status status = enter();
  if (status.ok())
    status = cudaDriver->check(
        cudaDriver->CtxGetStreamPriorityRange(&least, &greatest),
        "cuCtxGetStreamPriorityRange");
  if (status.ok())
    status = cudaDriver->check(
        cudaDriver->StreamCreateWithPriority(
            &handle, cuda::kStreamNonBlocking,
            cuda::getDevicePriority(priority, least, greatest)),
        "cuStreamCreateWithPriority");
  if (!status.ok())
    return status;
  auto *made = new NcclStream(*this, handle);
  made->name = name;
  *stream = made;
  return {};
}

Status NcclContext::adoptStream(void *native, moert_stream **stream) {
  *stream = new NcclStream(*this, static_cast<cuda::Stream>(native));
  return {};
}

Status NcclContext::verifyComm(void *native, int32_t size, int32_t position) {
  Status status = enter();
  if (!status.ok())
    return status;
  auto *comm = static_cast<Comm>(native);
  int count = -1, own = -1;
  Result result = ncclLibrary->CommCount(comm, &count);
  if (result == kSuccess)
    result = ncclLibrary->CommUserRank(comm, &own);
  if (result != kSuccess)
    return error(MOERT_INVALID_ARGUMENT,
                 "expected a communicator of NCCL, got error %d (%s) from it",
                 result, ncclLibrary->GetErrorString(result));
  if (count == size && own == position)
    return {};
  return error(MOERT_INVALID_ARGUMENT,
               "expected a communicator of %d ranks and this one at %d, got "
               "one of %d and at %d",
               size, position, count, own);
}

Status NcclContext::takeEvent(cuda::Event &event) {
  {
    std::lock_guard<std::mutex> lock(eventMutex);
    if (!spareEvents.empty()) {
      event = spareEvents.back();
      spareEvents.pop_back();
      return {};
    }
  }
  return cudaDriver->check(
      cudaDriver->EventCreate(&event, cuda::kEventWithoutTime),
      "cuEventCreate");
}

void NcclContext::giveEvent(cuda::Event event) {
  std::lock_guard<std::mutex> lock(eventMutex);
  if (event)
    spareEvents.push_back(event);
}

Status NcclContext::createEvent(bool isTimed, moert_event **event) {
  cuda::Event handle = nullptr;
  Status status = enter();
  if (status.ok())
    status = isTimed ? cudaDriver->check(cudaDriver->EventCreate(&handle, 0),
                                         "cuEventCreate")
                     : takeEvent(handle);
  if (status.ok())
    *event = new NcclEvent(*this, handle);
  return status;
}

Status NcclContext::createBuffer(size_t bytes, moert_memory_space space,
                                 moert_buffer **buffer) {
  Status status = enter();
  if (!status.ok())
    return status;
  auto made = std::make_unique<NcclBuffer>(*this, space);
  size_t some = bytes ? bytes : 1;
  if (space == MOERT_MEMORY_HOST) {
    status = cudaDriver->check(cudaDriver->MemAllocHost(&made->data, some),
                               "cuMemAllocHost");
  } else if (tuning.registersBuffers()) {
    made->isRegistered = true;
    Result result = ncclLibrary->MemAlloc(&made->data, some);
    if (result != kSuccess)
      status = error(MOERT_OUT_OF_MEMORY, "ncclMemAlloc of %zu bytes: %s", some,
                     ncclLibrary->GetErrorString(result));
    else
      status = registration.addMemory(made->data, some);
    if (!status.ok() && result == kSuccess)
      return status; // The destructor frees the memory.
  } else {
    cuda::Pointer pointer = 0;
    status =
        cudaDriver->check(cudaDriver->MemAlloc(&pointer, some), "cuMemAlloc");
    made->data = reinterpret_cast<void *>(pointer);
  }
  if (!status.ok()) {
    made->data = nullptr;
    return status;
  }
  made->size = bytes;
  *buffer = made.release();
  return {};
}
