// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optical circuit switches of a job.

#include "extend/Call.h"
#include "ocs/Handles.h"
#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <map>

using namespace moert;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// Switches that a context keeps.
struct JobSwitches {
  std::mutex mutex;
  /// The caller's switches, by the names that programs use.
  std::map<std::string, moert_ocs *> attached;
  /// Switches that programs have found, by name and controlling rank.
  std::map<std::pair<std::string, int32_t>, std::unique_ptr<moert_ocs>> found;
};
} // namespace

static Status getSwitches(moert_context *context, JobSwitches *&switches) {
  void *kept = nullptr;
  auto made = std::make_unique<JobSwitches>();
  moert_status status = moert_keep(
      context, "optical switches", made.get(),
      [](void *object) { delete static_cast<JobSwitches *>(object); }, &kept);
  if (status != MOERT_OK)
    return Status(status, moert_last_error(context));
  made.release();
  switches = static_cast<JobSwitches *>(kept);
  return {};
}

moert_status moert_ocs_attach(moert_context *context, const char *name,
                              moert_ocs *ocs) {
  return answer(context, __func__, [&]() -> Status {
    if (!context)
      return missing("a context");
    if (!name || !*name)
      return missing("a name");
    if (ocs && ocs->job)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a switch of moert_ocs_open, got one that "
                   "moert_ocs_find has found");
    JobSwitches *switches = nullptr;
    Status status = getSwitches(context, switches);
    if (!status.ok())
      return status;
    std::lock_guard<std::mutex> lock(switches->mutex);
    if (ocs)
      switches->attached[name] = ocs;
    else
      switches->attached.erase(name);
    return {};
  });
}

moert_status moert_ocs_find(moert_context *context, const char *name,
                            int32_t controller, moert_ocs **ocs) {
  return answer(context, __func__, [&]() -> Status {
    if (!context)
      return missing("a context");
    if (!name || !*name)
      return missing("a name");
    if (!ocs)
      return missing("a place for the switch");
    int32_t worldSize = moert_world_size(context);
    if (controller < 0 || controller >= worldSize)
      return error(MOERT_INVALID_ARGUMENT,
                   "expected a controlling rank in [0, %d), got %d", worldSize,
                   controller);
    JobSwitches *switches = nullptr;
    Status status = getSwitches(context, switches);
    if (!status.ok())
      return status;
    std::lock_guard<std::mutex> lock(switches->mutex);
    moert_ocs *own = nullptr;
    if (controller == moert_rank(context)) {
      auto it = switches->attached.find(name);
      if (it == switches->attached.end()) {
        std::string names;
        for (const auto &entry : switches->attached)
          names += (names.empty() ? "" : ", ") + entry.first;
        return error(MOERT_UNAVAILABLE,
                     "expected an optical switch attached as '%s', found %s",
                     name, names.empty() ? "none" : names.c_str());
      }
      own = it->second;
    }
    std::unique_ptr<moert_ocs> &found = switches->found[{name, controller}];
    if (!found)
      found = std::make_unique<moert_ocs>(
          JobSwitch{context, name, controller, own, 0});
    found->job->own = own;
    *ocs = found.get();
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Waiting for a change
//===----------------------------------------------------------------------===//

namespace {
/// The controlling rank's report about a change; the reports of other ranks are
/// ignored.
struct Word {
  int64_t limitUs = 0;
  double elapsedUs = 0;
  int32_t status = MOERT_OK, hasEnded = 0, removed = 0, added = 0;
  char text[960] = "";
};
} // namespace

static Status exchange(const moert_ocs_change &change, const char *what,
                       int64_t deadlineUs, Word &word) {
  const JobSwitch &job = *change.ocs->job;
  std::vector<Word> all(moert_world_size(job.context));
  std::string name = format("%s #%" PRIu64 " of the optical switch '%s'", what,
                            change.number, job.name.c_str());
  moert_status status = moert_exchange(job.context, name.c_str(), &word,
                                       sizeof(word), all.data(), deadlineUs);
  if (status != MOERT_OK)
    return Status(status, moert_last_error(job.context));
  word = all[job.rank];
  return {};
}

/// Returns the maximum remaining time of a change in microseconds.
static int64_t getLimitUs(const moert_ocs_change &change, int64_t deadlineUs) {
  if (!change.request || change.request->isDone())
    return 0;
  int64_t limitUs = change.ocs->job->own->controller->getLongestUs();
  return deadlineUs < 0 ? limitUs : std::min(limitUs, deadlineUs);
}

Status moert::awaitInJob(moert_ocs_change &change, int64_t deadlineUs) {
  if (change.known)
    return change.outcome;
  const JobSwitch &job = *change.ocs->job;
  bool controls = job.own != nullptr;
  Deadline deadline = Deadline::inMicroseconds(0);
  Status status = makeWait(deadlineUs, deadline);
  if (!status.ok())
    return status;
  // First all ranks meet and learn how long the wait may take, because the
  // job's deadline does not include the time of switches and their links.
  Word word;
  if (controls)
    word.limitUs = getLimitUs(change, deadlineUs);
  status =
      exchange(change, "the wait for change", MOERT_DEADLINE_DEFAULT, word);
  if (!status.ok())
    return status;
  constexpr int64_t kLongestUs = INT64_C(1) << 50;
  int64_t untilUs = std::clamp<int64_t>(word.limitUs, 0, kLongestUs) +
                    moert_deadline_us(job.context);
  if (controls) {
    status = change.request ? waitFor(*change.request, deadline, change.address)
                            : change.refused;
    word.status = status.getCode();
    word.hasEnded = !change.request || change.request->isDone();
    if (change.request && word.hasEnded) {
      moert_ocs_result result = makeResult(*change.request);
      word.elapsedUs = result.elapsed_us;
      word.removed = result.removed;
      word.added = result.added;
    }
    std::snprintf(word.text, sizeof(word.text), "%s",
                  status.getMessage().c_str());
  }
  Status told = exchange(change, "change", untilUs, word);
  if (!told.ok())
    return told;
  word.text[sizeof(word.text) - 1] = '\0';
  if (!controls && word.status != MOERT_OK)
    status = error(static_cast<moert_status>(word.status),
                   "rank %d, which controls the optical switch '%s': %s",
                   job.rank, job.name.c_str(), word.text);
  if (!word.hasEnded)
    return status;
  change.outcome = status;
  change.result = {word.removed, word.added, word.elapsedUs};
  change.known = true;
  return status;
}
