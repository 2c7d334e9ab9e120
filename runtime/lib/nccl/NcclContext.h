// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks with GPUs.

#ifndef MOERT_NCCL_NCCLCONTEXT_H
#define MOERT_NCCL_NCCLCONTEXT_H

#include "core/Backend.h"
#include "nccl/KernelArgs.h"
#include "nccl/KernelImages.h"
#include "nccl/NcclLibrary.h"
#include "nccl/Registration.h"
#include "nccl/Tuning.h"
#include "nccl/WorldComm.h"
#include "net/Member.h"
#include <thread>

namespace moert::nccl {

class NcclComm;

/// A rank of the backend 'nccl': a device, the connection to the other ranks,
/// and a thread that watches collectives and kernels. If the job fails, it
/// aborts all communicators, so that work on the device ends.
class NcclContext : public moert_context {
public:
  static Status create(const moert_config &config, Deadline deadline,
                       moert_context **context);
  ~NcclContext() override;

  Status createStream(const char *name, int32_t priority,
                      moert_stream **stream) override;
  Status adoptStream(void *native, moert_stream **stream) override;
  Status verifyComm(void *native, int32_t size, int32_t position) override;
  Status createEvent(bool isTimed, moert_event **event) override;
  Status createBuffer(size_t bytes, moert_memory_space space,
                      moert_buffer **buffer) override;
  Status abort(const std::string &reason) override;
  Status exchange(const std::string &name, const std::string &own,
                  Deadline deadline, std::vector<std::string> &all) override;
  Status getFailure() const override;
  Status leave(Deadline deadline, bool &destroyable) override;

  /// Ends the job with an error of this rank.
  Status fail(const Status &status);
  /// Makes the device current on this thread.
  Status enter();
  /// Enters the context and puts a kernel on a stream.
  Status launch(const char *kernel, unsigned blocks, unsigned threads,
                size_t sharedBytes, cuda::Stream stream, void **parameters);
  /// Returns true if `launchGrouped` can be used.
  bool hasGroupedKernels() const { return groupedKernels != nullptr; }
  /// Like `launch`, for kernels of grouped.cu, with their threads and shared
  /// memory.
  Status launchGrouped(const std::string &kernel, unsigned blocks,
                       cuda::Stream stream, void **parameters);
  /// Waits until a query no longer returns "not ready", the job has failed and
  /// the device is idle, or the deadline passed. The error then contains the
  /// description of the pending work from `explain`.
  Status wait(const std::function<cuda::Result()> &query, Deadline deadline,
              const std::string &what,
              const std::function<std::string()> &explain);
  /// Waits until NCCL has accepted a call for a nonblocking communicator.
  Status settle(Comm comm, Result result, const char *what, Deadline deadline);
  /// Describes an error of NCCL; `comm` may be null.
  std::string explain(Comm comm, Result result) const;
  /// Creates the identity with which ranks join a communicator.
  Status makeId(UniqueId &id) const;

  const cuda::Driver &driver() const { return *cudaDriver; }
  const Library &nccl() const { return *ncclLibrary; }
  Config getCommConfig() const { return tuning.getConfig(); }
  cuda::Context getCudaContext() const { return cudaContext; }
  Status countSms(int &count) const {
    constexpr int kMultiprocessorCount = 16;
    return cudaDriver->check(
        cudaDriver->DeviceGetAttribute(&count, kMultiprocessorCount, device),
        "cuDeviceGetAttribute of its multiprocessors");
  }
  /// Take and return an event without timing. Returned events must have been
  /// reached and be unused; null is allowed.
  Status takeEvent(cuda::Event &event);
  void giveEvent(cuda::Event event);
  Member &getMember() { return *member; }
  /// Kernels of programs; requires that the context has been entered.
  KernelImages &images() { return *programImages; }
  Status loadImages(const ProgramImages &images) override;
  cuda::Error *getError() const { return kernelError; }
  void watch(NcclComm *comm, bool isNew);
  /// Returns true if NCCL allocates buffers, which are in `registration`.
  bool registersBuffers() const { return tuning.registersBuffers(); }
  Status tune(const moert_program &program) override {
    return tuning.add(program, *ncclLibrary);
  }
  Registration registration;
  WorldComm world{*this};
  /// Number of communicators that belong to the caller.
  std::atomic<int> numAdopted{0};
  /// Whether a program is captured after a run that compared its calls. Other
  /// ranks may capture at other times.
  std::atomic<bool> isCapturing{false};

private:
  NcclContext() = default;
  Status start(const moert_config &config, Deadline deadline);
  void monitor();
  void checkKernels();
  /// Finds a kernel; `prepare` is called when it is found for the first time.
  Status find(cuda::Module module, const std::string &kernel,
              const std::function<Status(cuda::Function)> &prepare,
              cuda::Function &function);

  const cuda::Driver *cudaDriver = nullptr;
  const Library *ncclLibrary = nullptr;
  Tuning tuning;
  cuda::Device device = 0;
  cuda::Context cudaContext = nullptr;
  cuda::Module kernels = nullptr, groupedKernels = nullptr;
  std::string whyNoKernels;
  std::unique_ptr<KernelImages> programImages;
  std::mutex kernelMutex;
  std::map<std::string, cuda::Function> functions;
  cuda::Error *kernelError = nullptr;
  std::mutex eventMutex;
  std::vector<cuda::Event> spareEvents;
  std::unique_ptr<Member> member;
  std::mutex watchMutex;
  std::set<NcclComm *> watched;
  std::atomic<bool> stopping{false};
  std::thread watcher;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLCONTEXT_H
