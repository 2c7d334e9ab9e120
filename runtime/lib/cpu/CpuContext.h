// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CPU backends have in common.

#ifndef MOERT_CPU_CPUCONTEXT_H
#define MOERT_CPU_CPUCONTEXT_H

#include "cpu/CpuStream.h"
#include <span>

namespace moert {

/// A communicator whose collectives run on the thread of its stream, or where
/// its owner runs them.
class CpuComm : public moert_comm {
public:
  Status start(Collective collective) override;

  /// Runs collectives that follow each other to their end, which stay where
  /// they are until then.
  virtual Status run(std::span<const Collective *const> batch) = 0;
  /// How many of them at most.
  virtual size_t getMostAhead() const { return 1; }
  /// Of the collective under way: which it is, and who has not come to it.
  /// Called from other threads.
  virtual std::string describeWait() = 0;

  /// How long a collective waits for the other members, in microseconds.
  int64_t patienceUs = 0;
};

/// A rank whose streams are threads of this process. Backends derive from it
/// and bring the communicators.
class CpuContext : public moert_context {
public:
  Status createStream(const char *name, int32_t priority,
                      moert_stream **stream) override;
  Status adoptStream(void *native, moert_stream **stream) override;
  Status verifyComm(void *native, int32_t size, int32_t position) override;
  Status createEvent(bool isTimed, moert_event **event) override;
  Status createBuffer(size_t bytes, moert_memory_space space,
                      moert_buffer **buffer) override;

  Status exchange(const std::string &name, const std::string &own,
                  Deadline deadline, std::vector<std::string> &all) override;

  virtual Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                            uint64_t key, Deadline deadline,
                            CpuComm **comm) = 0;
  virtual bool hasFailed() const = 0;
  /// Ends the job with a failure of this rank; the text names the rank.
  virtual void fail(const Status &status) = 0;

  unsigned getSpins() const { return spins; }

  /// The error of an event that was not reached before a deadline.
  Status explainEvent(const std::shared_ptr<EventRecord> &record);

protected:
  /// Stops the streams' threads. False when work does not end; `why` is then
  /// the error, which names the first such stream and what it is at.
  bool stopStreams(Deadline deadline, Status &why);

  unsigned spins = 0;

private:
  /// Of all ranks, for `exchange`; made when it is called first.
  std::unique_ptr<CpuComm> jobComm;
  std::mutex exchangeMutex;
};

} // namespace moert

#endif // MOERT_CPU_CPUCONTEXT_H
