// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a backend implements.

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

namespace moert {

/// What was made from a context so far, and how often the host has waited.
struct Counts {
  std::atomic<int64_t> buffers{0}, streams{0}, events{0}, comms{0}, waits{0};
};

/// Work of streams that was captured: done whenever it is launched.
struct Graph {
  virtual ~Graph() = default;
  virtual Status launch(moert_stream &stream) = 0;
};

inline Status noCapture() {
  return error(MOERT_UNAVAILABLE,
               "expected streams of a GPU, which can be captured");
}

/// What a context keeps of a program that it runs as a graph.
struct ProgramGraph {
  /// Callers go round among few sets of buffers, such as two that are filled
  /// and read in turns.
  static constexpr size_t kMostCaptures = 8;
  struct Captured {
    /// Inputs, results and workspace that the graph is for.
    std::vector<void *> pointers;
    std::unique_ptr<Graph> graph;
  };

  /// Whether it has run: what a first run makes is no part of a graph.
  bool hasRun = false;
  /// At most `kMostCaptures`, the last one used in front.
  std::vector<Captured> captures;
};

} // namespace moert

// The opaque types of the interface are the base classes of the backends'.
// Arguments that cross the interface are checked before a method is called
// (Api*.cpp); what remains for a backend are errors of its own.

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
  /// Reached, or not yet.
  virtual moert::Status query(bool &reached) = 0;
  virtual moert::Status synchronize(moert::Deadline deadline) = 0;
  /// Both are timed.
  virtual moert::Status getElapsed(moert_event &end, double &elapsedUs) = 0;

  moert_context *context = nullptr;
  bool isTimed = false;
  /// Whether it lives as long as the job.
  bool isKept = false;
};

struct moert_comm {
  virtual ~moert_comm() = default;
  /// Puts the collective on the stream; its arguments are checked.
  virtual moert::Status start(moert::Collective collective) = 0;

  /// "group [0, 1] key 2", for errors.
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
  /// Waits until the stream's work so far has ended, well or not; false when
  /// the deadline passed.
  virtual bool drain(moert::Deadline deadline) = 0;
  virtual moert::Status waitEvent(moert_event &event) = 0;
  /// Products from here on leave so many SMs, at least 0. A backend without
  /// SMs ignores it.
  virtual moert::Status leaveSms(int32_t) { return {}; }
  /// The argument is copied where `bytes` is not 0.
  virtual moert::Status launch(const char *name, int (*function)(void *),
                               void *argument, size_t bytes) = 0;
  /// A kernel of a program; its arguments are checked.
  virtual moert::Status launchKernel(const moert_kernel_args &kernel) = 0;
  virtual moert::Status delay(double durationUs) = 0;
  /// Whether somebody captures what is put on the stream.
  virtual moert::Status queryCapture(bool &isCaptured) {
    isCaptured = false;
    return {};
  }
  /// From here on what this thread puts on the stream, and on those that wait
  /// for its events, is not done but captured, until the end, which gives it as
  /// a graph; null where the capture was spoilt before. Contexts that
  /// `capturesPrograms` have streams with these.
  virtual moert::Status beginCapture() { return moert::noCapture(); }
  virtual moert::Status endCapture(std::unique_ptr<moert::Graph> &) {
    return moert::noCapture();
  }
  virtual moert::Status createComm(const std::vector<int32_t> &ranks,
                                   int32_t position, uint64_t key,
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
  /// A kernel on data in the host's memory, with its arguments inside;
  /// UNAVAILABLE where streams work on other memory.
  virtual moert::Status runOnHost(std::function<moert::Status()> kernel) = 0;

  moert_context *context = nullptr;
  std::string name;
  int32_t priority = 0;
  /// Whether it lives as long as the job.
  bool isKept = false;
  /// Whether it is the caller's.
  bool isAdopted = false;
  /// Communicators made on it and not yet destroyed.
  int32_t numComms = 0;
};

struct moert_context {
  virtual ~moert_context() = default;
  virtual moert::Status createStream(const char *name, int32_t priority,
                                     moert_stream **stream) = 0;
  /// UNAVAILABLE where there are no streams but the runtime's own.
  virtual moert::Status adoptStream(void *native, moert_stream **stream) = 0;
  /// Whether a library's communicator is one of so many ranks with this one at
  /// a position; UNAVAILABLE where there are none but the runtime's own.
  virtual moert::Status verifyComm(void *native, int32_t size,
                                   int32_t position) = 0;
  /// Loads kernels that programs bring along, at the first call. A backend
  /// without such kernels refuses them when they are launched.
  virtual moert::Status loadImages(const moert::ProgramImages &) { return {}; }
  /// Takes what a program was compiled for where the job's configuration leaves
  /// it open, for what is made from now on.
  virtual moert::Status tune(const moert_program &) { return {}; }
  virtual moert::Status createEvent(bool isTimed, moert_event **event) = 0;
  virtual moert::Status createBuffer(size_t bytes, moert_memory_space space,
                                     moert_buffer **buffer) = 0;
  /// Says to all ranks that the job is over.
  virtual moert::Status abort(const std::string &reason) = 0;
  /// All ranks of the job tell each other something, in one order; waits for
  /// all. What they tell is of one length.
  virtual moert::Status exchange(const std::string &name,
                                 const std::string &own,
                                 moert::Deadline deadline,
                                 std::vector<std::string> &all) = 0;
  /// Why the job is over as this rank is told, or OK while it goes on.
  virtual moert::Status getFailure() const = 0;
  /// Waits for all streams and leaves the job. False in `destroyable` when
  /// work that cannot be stopped still uses the context.
  virtual moert::Status leave(moert::Deadline deadline, bool &destroyable) = 0;

  int32_t rank = 0;
  int32_t worldSize = 1;
  int64_t deadlineUs = 0;

  /// What was made from this context, to be destroyed with it.
  std::mutex mutex;
  std::set<moert_stream *> streams;
  std::set<moert_event *> events;
  std::set<moert_buffer *> buffers;
  std::set<moert_comm *> comms;
  /// Destroyed buffers, which are not in `buffers`.
  moert::BufferPool spareBuffers;
  /// What libraries beside this one keep here, by name.
  std::map<std::string, std::unique_ptr<void, void (*)(void *)>> keptObjects;

  /// Those of them that live as long as the job, by what is asked for.
  std::mutex keptMutex;
  std::map<std::pair<std::string, int32_t>, moert_stream *> keptStreams;
  std::map<std::pair<moert_stream *, std::vector<int32_t>>, moert_comm *>
      keptComms;
  std::vector<moert_event *> keptEvents;
  /// The caller's communicators, by their ranks.
  std::map<std::vector<int32_t>, void *> adoptedComms;

  /// What compiled programs have in common, which run one at a time.
  std::mutex programMutex;
  moert_buffer *programWorkspace = nullptr, *programHostMemory = nullptr;
  /// Whether `moert_program_run` captures programs.
  bool capturesPrograms = false;
  std::map<const moert_program *, moert::ProgramGraph> programGraphs;

  moert::Counts counts;
};

namespace moert {

/// One of the backends this library knows.
struct BackendDescription {
  const char *name;
  /// Stands for MOERT_DEADLINE_DEFAULT in a configuration.
  int64_t defaultDeadlineUs;
  /// OK with what was found as the message, or UNAVAILABLE and why.
  Status (*probe)();
  Status (*create)(const moert_config &config, Deadline deadline,
                   moert_context **context);
};

/// Null for an unknown name.
const BackendDescription *findBackend(const char *name);

} // namespace moert

#endif // MOERT_CORE_BACKEND_H
