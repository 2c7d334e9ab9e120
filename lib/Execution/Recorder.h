// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records when work on streams runs.

#ifndef MOE_LIB_EXECUTION_RECORDER_H
#define MOE_LIB_EXECUTION_RECORDER_H

#include "moe/Execution/Job.h"
#include "moe/Execution/Timeline.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace moe {

/// Compiled code calls this function with the index of a task's label before it
/// puts work of the task on a stream, and with -1 before work outside of tasks.
constexpr const char *kTaskFunction = "moe_run_task";

/// Records when the work that one thread puts on the streams of one rank runs,
/// by an event before and an event after each piece of work. Compiled code
/// calls it instead of the runtime, see `addRecordingSymbols`.
class Recorder {
public:
  Recorder(Job &job, const std::vector<TaskLabel> &tasks)
      : job(job), tasks(tasks) {}
  ~Recorder();

  /// Executes a function on this thread and records its work. The first piece
  /// of work waits for all ranks. Returns the function's status, or the status
  /// of a failure of the recording.
  moert_status run(llvm::function_ref<moert_status()> function);
  /// Returns the timeline recorded since the last call; fails if the times are
  /// not available.
  cost::Result<RankTimeline> takeTimeline();

  // Called by compiled code on the thread of `run`.
  static Recorder *getCurrent();
  void setTask(std::optional<uint32_t> number) { task = number; }
  void addStream(moert_stream *stream, const char *name);
  void addComm(moert_comm *comm, moert_stream *stream);
  moert_status record(moert_stream *stream,
                      llvm::function_ref<moert_status()> work);
  moert_status record(moert_comm *comm,
                      llvm::function_ref<moert_status()> work);

private:
  struct Piece {
    std::optional<uint32_t> task;
    uint32_t stream;
    moert_event *start, *end;
  };

  moert_status makeEvent(moert_stream *stream, moert_event *&event);
  /// Waits for all ranks and records the time.
  moert_status begin();

  Job &job;
  const std::vector<TaskLabel> &tasks;
  moert_event *origin = nullptr;
  std::optional<uint32_t> task;
  std::vector<bool> emulated;
  std::vector<std::string> streams;
  std::vector<std::pair<moert_stream *, uint32_t>> streamNumbers;
  std::vector<std::pair<moert_comm *, moert_stream *>> comms;
  std::vector<Piece> pieces;
};

/// Replaces the runtime's functions that create streams and communicators or
/// put work on them by functions of the recorder, and defines `kTaskFunction`.
void addRecordingSymbols(llvm::orc::SymbolMap &symbols,
                         llvm::orc::MangleAndInterner &mangle);

} // namespace moe

#endif // MOE_LIB_EXECUTION_RECORDER_H
