// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes when work on streams runs.

#ifndef MOE_LIB_EXECUTION_RECORDER_H
#define MOE_LIB_EXECUTION_RECORDER_H

#include "moe/Execution/Job.h"
#include "moe/Execution/Timeline.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace moe {

/// Called, by this name, with the place of a task among the labels before its
/// work is put on a stream, and with -1 before work of no task.
constexpr const char *kTaskFunction = "moe_run_task";

/// Notes when the work that one thread puts on the streams of one rank runs:
/// an event before and one after each piece. Compiled code calls it in the
/// place of the runtime, see `addRecordingSymbols`.
class Recorder {
public:
  Recorder(Job &job, const std::vector<TaskLabel> &tasks)
      : job(job), tasks(tasks) {}
  ~Recorder();

  /// One execution of a function by this thread: its work is recorded, and the
  /// first piece of it waits for all ranks to come. Returns the function's
  /// status, or that of what recording needs.
  moert_status run(llvm::function_ref<moert_status()> function);
  /// What was recorded since; the job's failure when times cannot be had.
  cost::Result<RankTimeline> takeTimeline();

  // What compiled code calls, on the thread of `run`.
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
  /// Waits for all ranks and notes the time.
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

/// Puts the recorder in the place of the runtime's functions that create
/// streams and communicators, and of those that put work on them; and defines
/// `kTaskFunction`.
void addRecordingSymbols(llvm::orc::SymbolMap &symbols,
                         llvm::orc::MangleAndInterner &mangle);

} // namespace moe

#endif // MOE_LIB_EXECUTION_RECORDER_H
