// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface that a backend implements.

#ifndef MOERT_CORE_BACKEND_H
#define MOERT_CORE_BACKEND_H

#include "core/BufferPool.h"
#include "core/Collective.h"
#include "core/ProgramImages.h"
#include "core/Status.h"
#include "core/Wait.h"
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

namespace moert {

/// Number of objects that a context has created, and of waits of the host.
struct Counts {
  std::atomic<int64_t> buffers{0}, streams{0}, events{0}, comms{0}, waits{0};
};

/// Captured work of streams, which runs whenever it is launched.
struct Graph {
  virtual ~Graph() = default;
  virtual Status launch(moert_stream &stream) = 0;
};

inline Status noCapture() {
  return error(MOERT_UNAVAILABLE,
               "expected streams of a GPU, which can be captured");
}

/// State of a program that a context runs as a graph.
struct ProgramGraph {
  /// Enough for callers that alternate among a few sets of buffers, for example
  /// two that are filled and read in turn.
  static constexpr size_t kMostCaptures = 8;
  struct Captured {
    /// The inputs, results and workspace of the graph.
    std::vector<void *> pointers;
    std::unique_ptr<Graph> graph;
  };

  /// Whether the program has run once; the objects that the first run creates
  /// must not become part of a graph.
  bool hasRun = false;
  /// At most `kMostCaptures`, the most recently used one first.
  std::vector<Captured> captures;
};

} // namespace moert

// The opaque types of the C interface are base classes of the backends' types.
// Api*.cpp checks arguments before it calls a method; backends report only
// their own errors.

struct moert_buffer {
  virtual ~moert_buffer() = default;

  moert_context *context = nullptr;
  void *data = nullptr;
  size_t size = 0;
  moert_memory_space space = MOERT_MEMORY_HOST;
};

struct moert_event {
  virtual ~moert_event() = default;
  virtual moert::Status record(moert_stream &stream) = 0;
  /// Reports whether the event was reached, without waiting.
  virtual moert::Status query(bool &reached) = 0;
  virtual moert::Status synchronize(moert::Deadline deadline) = 0;
  /// Requires that both events are timed.
  virtual moert::Status getElapsed(moert_event &end, double &elapsedUs) = 0;

  moert_context *context = nullptr;
  bool isTimed = false;
  /// Whether it lives as long as the job.
  bool isKept = false;
};

struct moert_comm {
  virtual ~moert_comm() = default;
  /// Puts the collective on the stream; its arguments have been checked.
  virtual moert::Status start(moert::Collective collective) = 0;

  /// Describes it for errors, for example "group [0, 1] key 2".
  std::string describe() const;

  moert_stream *stream = nullptr;
  std::vector<int32_t> ranks;
  uint64_t key = 0;
  /// Position of this rank in `ranks`.
  int32_t position = 0;
  /// Whether it lives as long as the job.
  bool isKept = false;
};

struct moert_stream {
  virtual ~moert_stream() = default;
  virtual moert::Status synchronize(moert::Deadline deadline) = 0;
  /// Waits until the stream's work so far has ended, successfully or not;
  /// returns false if the deadline passed.
  virtual bool drain(moert::Deadline deadline) = 0;
  virtual moert::Status waitEvent(moert_event &event) = 0;
  /// Makes later products leave this number of SMs (at least 0) free. Backends
  /// without SMs ignore it.
  virtual moert::Status leaveSms(int32_t) { return {}; }
  /// Sets the scratch memory of later kernels; null means none. Backends
  /// without such kernels ignore it.
  virtual moert::Status setScratch(void *, size_t) { return {}; }
  /// Copies the argument unless `bytes` is 0.
  virtual moert::Status launch(const char *name, int (*function)(void *),
                               void *argument, size_t bytes) = 0;
  /// Launches a kernel of a program; its arguments have been checked.
  virtual moert::Status launchKernel(const moert_kernel_args &kernel) = 0;
  virtual moert::Status delay(double durationUs) = 0;
  /// Reports whether the stream's work is being captured.
  virtual moert::Status queryCapture(bool &isCaptured) {
    isCaptured = false;
    return {};
  }
  /// From `beginCapture` to `endCapture`, work that this thread puts on the
  /// stream, and on streams that wait for its events, is not executed but
  /// captured as a graph, which is null if the capture failed before. Streams
  /// of contexts with `capturesPrograms` implement both.
  virtual moert::Status beginCapture() { return moert::noCapture(); }
  virtual moert::Status endCapture(std::unique_ptr<moert::Graph> &) {
    return moert::noCapture();
  }
  /// Creates a communicator of these ranks with this one at `position`. If
  /// `isSplit`, all ranks of the job call it at once, each for its group of a
  /// partition of all ranks, and `key` identifies the partition.
  virtual moert::Status createComm(const std::vector<int32_t> &ranks,
                                   int32_t position, uint64_t key, bool isSplit,
                                   moert::Deadline deadline,
                                   moert_comm **comm) = 0;

  virtual moert::Status copy(void *target, const void *source,
                             size_t bytes) = 0;
  virtual moert::Status
  copyStrided(void *target, const std::vector<int64_t> &targetStrides,
              const void *source, const std::vector<int64_t> &sourceStrides,
              const std::vector<int64_t> &sizes, size_t elementBytes) = 0;
  virtual moert::Status fillZero(void *target, size_t bytes) = 0;
#define MOERT_DEVICE_KERNEL(name, Name, args)                                  \
  virtual moert::Status name(const moert_##args##_args &arguments) = 0;
#include "moert_calls.def"
  /// Runs a kernel, which contains its arguments, on data in host memory;
  /// UNAVAILABLE if streams work on other memory.
  virtual moert::Status runOnHost(std::function<moert::Status()> kernel) = 0;

  moert_context *context = nullptr;
  std::string name;
  int32_t priority = 0;
  /// Whether it lives as long as the job.
  bool isKept = false;
  /// Whether the caller owns it.
  bool isAdopted = false;
  /// Number of existing communicators of the stream.
  int32_t numComms = 0;
};

struct moert_context {
  virtual ~moert_context() = default;
  virtual moert::Status createStream(const char *name, int32_t priority,
                                     moert_stream **stream) = 0;
  /// UNAVAILABLE if the backend has no streams other than the runtime's.
  virtual moert::Status adoptStream(void *native, moert_stream **stream) = 0;
  /// Checks that a library's communicator has this size with this rank at this
  /// position; UNAVAILABLE if the backend has no communicators other than the
  /// runtime's.
  virtual moert::Status verifyComm(void *native, int32_t size,
                                   int32_t position) = 0;
  /// Loads kernels that belong to a program, at the first call. A backend that
  /// cannot run such kernels refuses them at the launch.
  virtual moert::Status loadImages(const moert::ProgramImages &) { return {}; }
  /// Applies the settings that a program was compiled for, where the job's
  /// configuration leaves them open, to objects created from now on.
  virtual moert::Status tune(const moert_program &) { return {}; }
  virtual moert::Status createEvent(bool isTimed, moert_event **event) = 0;
  virtual moert::Status createBuffer(size_t bytes, moert_memory_space space,
                                     moert_buffer **buffer) = 0;
  /// Ends the job for all ranks.
  virtual moert::Status abort(const std::string &reason) = 0;
  /// Exchanges data of equal length among all ranks of the job, and waits for
  /// all of them. All ranks must call it in the same order.
  virtual moert::Status exchange(const std::string &name,
                                 const std::string &own,
                                 moert::Deadline deadline,
                                 std::vector<std::string> &all) = 0;
  /// Returns the failure of the job for this rank, or OK.
  virtual moert::Status getFailure() const = 0;
  /// Waits for all streams and leaves the job. Sets `destroyable` to false if
  /// work that cannot be stopped still uses the context.
  virtual moert::Status leave(moert::Deadline deadline, bool &destroyable) = 0;

  int32_t rank = 0;
  int32_t worldSize = 1;
  int64_t deadlineUs = 0;

  /// Guards the objects that were made from this context and are destroyed with
  /// it.
  std::mutex mutex;
  std::set<moert_stream *> streams;
  std::set<moert_event *> events;
  std::set<moert_buffer *> buffers;
  std::set<moert_comm *> comms;
  /// Destroyed buffers, which are not in `buffers`.
  moert::BufferPool spareBuffers;
  /// Objects of libraries that extend this one, by name.
  std::map<std::string, std::unique_ptr<void, void (*)(void *)>> keptObjects;

  /// Guards the objects above that live as long as the job, by their keys.
  std::mutex keptMutex;
  std::map<std::pair<std::string, int32_t>, moert_stream *> keptStreams;
  std::map<std::pair<moert_stream *, std::vector<int32_t>>, moert_comm *>
      keptComms;
  /// The communicators of this rank in partitions of all ranks into groups of a
  /// size. They are not in `keptComms`, so that all ranks agree which exist.
  std::map<std::tuple<moert_stream *, int32_t, std::vector<int32_t>>,
           moert_comm *>
      keptSplits;
  std::vector<moert_event *> keptEvents;
  /// The caller's communicators, by their ranks.
  std::map<std::vector<int32_t>, void *> adoptedComms;

  /// Guards state that compiled programs share; programs run one at a time.
  std::mutex programMutex;
  moert_buffer *programWorkspace = nullptr, *programHostMemory = nullptr;
  /// Whether `moert_program_run` captures programs.
  bool capturesPrograms = false;
  std::map<const moert_program *, moert::ProgramGraph> programGraphs;

  moert::Counts counts;
};

namespace moert {

/// A backend of this library.
struct BackendDescription {
  const char *name;
  /// The value of MOERT_DEADLINE_DEFAULT in a configuration, in microseconds.
  int64_t defaultDeadlineUs;
  /// Returns OK with the findings as the message, or UNAVAILABLE with the
  /// reason.
  Status (*probe)();
  Status (*create)(const moert_config &config, Deadline deadline,
                   moert_context **context);
};

/// Returns null for an unknown name.
const BackendDescription *findBackend(const char *name);

} // namespace moert

#endif // MOERT_CORE_BACKEND_H
