//===- NcclComm.h - Collectives between devices -----------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_NCCL_NCCLCOMM_H
#define MOERT_NCCL_NCCLCOMM_H

#include "nccl/NcclContext.h"
#include <deque>

namespace moert::nccl {

/// A communicator of NCCL that does not block. Every collective is also told
/// to the hub, which finds ranks that call different things; the context's
/// watcher looks at how long it takes.
class NcclComm : public moert_comm {
public:
  NcclComm(NcclContext &context, cuda::Stream stream)
      : context(context), cudaStream(stream) {}
  ~NcclComm() override;

  /// Of the caller's: to be used, but never ended.
  void adopt(Comm own) {
    comm = own;
    isAdopted = true;
    ++context.numAdopted;
  }
  Status connect(const std::vector<int32_t> &ranks, int32_t position,
                 uint64_t key, Deadline deadline);
  Status start(Collective collective) override;

  /// Called by the watcher: looks for errors and passed deadlines.
  void check(int64_t deadlineUs);
  /// Ends what is on the device.
  void abort();
  /// The first collective that has not ended, "all_gather #3 of group [0, 1]
  /// key 1", and whether it has begun; empty when there is none, or when one is
  /// just being called.
  std::string describeFlight(bool &hasBegun);

private:
  /// A collective on the device.
  struct Flight {
    cuda::Event begin, end;
    uint64_t number;
    std::string words;
    bool isRunning = false, isReported = false;
    Deadline::Clock::time_point since;
  };
  /// Waits, briefly as a rule, until NCCL has taken a call in.
  Status settle(Result result, const char *what, Deadline deadline);
  Status launch(const Collective &collective);
  Status exchange(const Collective &collective);
  Status reduceSmallIntegers(const Collective &collective);
  Status takeEvent(cuda::Event &event);
  std::string explain(Result result) const;

  NcclContext &context;
  cuda::Stream cudaStream;
  /// Calls of one communicator must not overlap, the watcher's among them.
  std::mutex mutex;
  Comm comm = nullptr;
  bool aborted = false, isAdopted = false;
  uint64_t group = 0, number = 0;
  std::deque<Flight> flights;
  std::vector<cuda::Event> spareEvents;
  cuda::Pointer scratch = 0;
};

} // namespace moert::nccl

#endif // MOERT_NCCL_NCCLCOMM_H
