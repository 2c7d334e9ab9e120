// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams that are threads.

#ifndef MOERT_CPU_CPUSTREAM_H
#define MOERT_CPU_CPUSTREAM_H

#include "core/Backend.h"
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace moert {

class CpuComm;
class CpuContext;
class CpuStream;

/// One record of an event. Waiters keep it, so that recording the event again
/// does not affect them.
struct EventRecord {
  EventRecord(unsigned spins, CpuStream *stream)
      : signal(spins), stream(stream) {}
  void reach() {
    time = Deadline::Clock::now();
    reached.store(true, std::memory_order_release);
    signal.notify();
  }
  bool isReached() const { return reached.load(std::memory_order_acquire); }

  Signal signal;
  /// The stream that reaches the record; valid until then.
  CpuStream *const stream;
  std::atomic<bool> reached{false};
  Deadline::Clock::time_point time;
};

class CpuEvent : public moert_event {
public:
  Status record(moert_stream &stream) override;
  Status query(bool &reached) override;
  Status synchronize(Deadline deadline) override;
  Status getElapsed(moert_event &end, double &elapsedUs) override;

  /// Returns the last record, or null before the first.
  std::shared_ptr<EventRecord> getRecord() const;

private:
  mutable std::mutex mutex;
  std::shared_ptr<EventRecord> last;
};

/// A worker thread and its queue. After the job has failed, the thread drops
/// the remaining work, but still reaches events, so that waits end.
class CpuStream : public moert_stream {
public:
  explicit CpuStream(CpuContext &context);
  ~CpuStream() override;

  Status synchronize(Deadline deadline) override;
  bool drain(Deadline deadline) override;
  Status waitEvent(moert_event &event) override;
  Status launchKernel(const moert_kernel_args &kernel) override;
  Status launch(const char *name, int (*function)(void *), void *argument,
                size_t bytes) override;
  Status delay(double durationUs) override;
  Status createComm(const std::vector<int32_t> &ranks, int32_t position,
                    uint64_t key, bool isSplit, Deadline deadline,
                    moert_comm **comm) override;
  Status copy(void *target, const void *source, size_t bytes) override;
  Status copyStrided(void *target, const std::vector<int64_t> &targetStrides,
                     const void *source,
                     const std::vector<int64_t> &sourceStrides,
                     const std::vector<int64_t> &sizes,
                     size_t elementBytes) override;
  Status fillZero(void *target, size_t bytes) override;
#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  Status name(const moert_##args##_args &arguments) override;
#include "moert_calls.def"
  Status runOnHost(std::function<Status()> kernel) override;

  /// A piece of work: a function, a collective, or the record of an event.
  struct Work {
    std::function<Status()> run;
    CpuComm *comm = nullptr;
    std::shared_ptr<Collective> collective;
    std::shared_ptr<EventRecord> record;
    /// For errors about work that does not end: the event it waits for, or a
    /// description, for example "the function 'f' has not returned".
    std::shared_ptr<EventRecord> awaited;
    std::string words;
  };
  Status enqueue(Work work);
  Status enqueue(std::function<Status()> run);

  /// Explains why the stream's work has not ended: a function has not returned,
  /// or a collective waits for other ranks, possibly on another stream, through
  /// an event. Callable while the work runs.
  std::string explainWait();
  /// Does the same while the caller holds the context's lock, so that its
  /// streams stay valid; `depth` is the number of events followed so far.
  std::string describeWork(unsigned depth);

  /// Ends the thread; returns false if its work did not end in time.
  bool stop(Deadline deadline);

private:
  void loop();
  void execute(std::vector<Work> &batch);

  CpuContext &cpu;
  std::mutex mutex;
  std::deque<Work> queue;
  /// The current work of the thread.
  const Work *current = nullptr;
  Signal arrived, ended;
  std::atomic<uint64_t> numEnqueued{0}, numEnded{0};
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace moert

#endif // MOERT_CPU_CPUSTREAM_H
