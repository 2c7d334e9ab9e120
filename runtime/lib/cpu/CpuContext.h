// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common code of the CPU backends.

#ifndef MOERT_CPU_CPUCONTEXT_H
#define MOERT_CPU_CPUCONTEXT_H

#include "cpu/CpuStream.h"
#include <span>

namespace moert {

/// A communicator that runs its collectives on the thread of its stream, or
/// where its owner calls it.
class CpuComm : public moert_comm {
public:
  Status start(Collective collective) override;

  /// Runs consecutive collectives to their end. They must stay valid until
  /// then.
  virtual Status run(std::span<const Collective *const> batch) = 0;
  /// Returns the maximum number of collectives per batch.
  virtual size_t getMostAhead() const { return 1; }
  /// Describes the current collective and the ranks that have not reached it.
  /// Other threads may call it.
  virtual std::string describeWait() = 0;

  /// Time limit for the wait of a collective for other members, in
  /// microseconds.
  int64_t patienceUs = 0;
};

/// A rank with threads of this process as streams. Derived classes of the
/// backends provide communicators.
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
  /// Ends the job with a failure of this rank; the message names the rank.
  virtual void fail(const Status &status) = 0;

  unsigned getSpins() const { return spins; }

  /// Returns the error of an event that was not reached before a deadline.
  Status explainEvent(const std::shared_ptr<EventRecord> &record);

protected:
  /// Stops the threads of the streams. Returns false if work does not end;
  /// `why` is then the error, which names the first such stream and its current
  /// work.
  bool stopStreams(Deadline deadline, Status &why);

  unsigned spins = 0;

private:
  /// A communicator of all ranks for `exchange`, created at its first call.
  std::unique_ptr<CpuComm> jobComm;
  std::mutex exchangeMutex;
};

} // namespace moert

#endif // MOERT_CPU_CPUCONTEXT_H
