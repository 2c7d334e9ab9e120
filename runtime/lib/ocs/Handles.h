// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles of moert_ocs.h.

#ifndef MOERT_OCS_HANDLES_H
#define MOERT_OCS_HANDLES_H

#include "core/AbiStructs.h"
#include "moert_ocs.h"
#include "ocs/Controller.h"

namespace moert {
template <> inline constexpr size_t kFirstSize<moert_ocs_config> = 72;
static_assert(sizeof(moert_ocs_config) >= 72);

/// A switch from the view of a job's ranks.
struct JobSwitch {
  moert_context *context = nullptr;
  std::string name;
  /// The controlling rank, and the connection on that rank.
  int32_t rank = 0;
  moert_ocs *own = nullptr;
  /// Number of changes so far, equal on all ranks.
  uint64_t numChanges = 0;
};
} // namespace moert

/// A connection to a switch, or a placeholder for it in a job.
struct moert_ocs {
  explicit moert_ocs(moert::SwitchOptions options)
      : controller(
            std::make_unique<moert::SwitchController>(std::move(options))) {}
  explicit moert_ocs(moert::JobSwitch job)
      : job(std::make_unique<moert::JobSwitch>(std::move(job))) {}
  ~moert_ocs();

  /// Exactly one of them is set.
  std::unique_ptr<moert::SwitchController> controller;
  std::unique_ptr<moert::JobSwitch> job;

  std::mutex mutex;
  /// Changes that the caller has not destroyed; guarded by `mutex`.
  std::set<moert_ocs_change *> changes;
};

struct moert_ocs_change {
  moert_ocs *ocs = nullptr;
  /// Null if another rank controls the switch, or if the change was refused.
  std::shared_ptr<moert::SwitchRequest> request;
  std::string address;

  /// In a job, the number of the change, the check on the controlling rank
  /// before the request, and the result of the change after all ranks know it.
  uint64_t number = 0;
  moert::Status refused;
  std::atomic<bool> known{false};
  moert::Status outcome;
  moert_ocs_result result = {};
};

namespace moert {

/// Converts a caller's deadline; the default waits for the end, which is
/// certain.
Status makeWait(int64_t deadlineUs, Deadline &deadline);
/// Waits for a request to the switch at `address`.
Status waitFor(SwitchRequest &request, Deadline deadline,
               const std::string &address);
moert_ocs_result makeResult(const SwitchRequest &request);

/// Waits for a change of a job's switch on all its ranks, which receive the
/// result from the controlling rank.
Status awaitInJob(moert_ocs_change &change, int64_t deadlineUs);

} // namespace moert

#endif // MOERT_OCS_HANDLES_H
