// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the calls of moert_ocs.h hand out.

#ifndef MOERT_OCS_HANDLES_H
#define MOERT_OCS_HANDLES_H

#include "core/AbiStructs.h"
#include "moert_ocs.h"
#include "ocs/Controller.h"

namespace moert {
template <> inline constexpr size_t kFirstSize<moert_ocs_config> = 72;
static_assert(sizeof(moert_ocs_config) >= 72);

/// A switch as the ranks of a job know it.
struct JobSwitch {
  moert_context *context = nullptr;
  std::string name;
  /// The rank that controls it, and on that rank the connection.
  int32_t rank = 0;
  moert_ocs *own = nullptr;
  /// Changes so far, alike on all ranks.
  uint64_t numChanges = 0;
};
} // namespace moert

/// A connection to a switch, or what stands for one in a job.
struct moert_ocs {
  explicit moert_ocs(moert::SwitchOptions options)
      : controller(
            std::make_unique<moert::SwitchController>(std::move(options))) {}
  explicit moert_ocs(moert::JobSwitch job)
      : job(std::make_unique<moert::JobSwitch>(std::move(job))) {}
  ~moert_ocs();

  /// One of the two.
  std::unique_ptr<moert::SwitchController> controller;
  std::unique_ptr<moert::JobSwitch> job;

  std::mutex mutex;
  /// Not yet destroyed by the caller; under `mutex`.
  std::set<moert_ocs_change *> changes;
};

struct moert_ocs_change {
  moert_ocs *ocs = nullptr;
  /// Null where another rank controls the switch, or the change was refused.
  std::shared_ptr<moert::SwitchRequest> request;
  std::string address;

  /// In a job: its number there, what the controlling rank found before it
  /// asked, and what became of the change once all ranks know.
  uint64_t number = 0;
  moert::Status refused;
  std::atomic<bool> known{false};
  moert::Status outcome;
  moert_ocs_result result = {};
};

namespace moert {

/// How long a caller waits: by default for the end, which comes by itself.
Status makeWait(int64_t deadlineUs, Deadline &deadline);
/// Waits for a request to the switch at `address`.
Status waitFor(SwitchRequest &request, Deadline deadline,
               const std::string &address);
moert_ocs_result makeResult(const SwitchRequest &request);

/// Waits for a change of a job's switch on all its ranks: each learns from the
/// one that controls it what became of it.
Status awaitInJob(moert_ocs_change &change, int64_t deadlineUs);

} // namespace moert

#endif // MOERT_OCS_HANDLES_H
