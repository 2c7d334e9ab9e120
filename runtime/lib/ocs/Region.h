// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits that follow demand.

#ifndef MOERT_OCS_REGION_H
#define MOERT_OCS_REGION_H

#include "ocs/DemandHistory.h"
#include "ocs/Handles.h"
#include "ocs/Planner.h"

namespace moert {

/// The subject of a decision, exactly one of three kinds, which is the same
/// kind on all ranks of the job.
struct RegionWish {
  /// [servers]: bytes that this rank sends to each server, to be summed; null
  /// if this rank sends nothing.
  const double *bytes = nullptr;
  /// [servers, servers]: bytes between servers, known to the controlling rank.
  const std::vector<double> *demand = nullptr;
  /// [servers, servers]: the circuits themselves, known to the controlling
  /// rank.
  const int32_t *circuits = nullptr;
  double exchanges = 0, slackUs = 0;
};

} // namespace moert

/// A region from the view of a job's ranks. The controlling rank decides. It
/// queries the circuits of the switch before each decision, so that failures
/// and changes by others leave no unknown state. Regions of one job decide
/// together; each has its own switch and controlling rank.
struct moert_ocs_region {
  moert_ocs_region(moert_context *context, moert::RegionOptions options,
                   std::string name, int32_t controller, int32_t server);

  void takeOut(int32_t server, int32_t nic);
  const moert::RegionOptions &getOptions() const { return options; }
  /// Returns the region's demand history, which the controlling rank uses for
  /// plans.
  moert::DemandHistory &getHistory() { return history; }
  /// Returns true if another caller means this region.
  bool isOf(const moert::RegionOptions &others, int32_t itsController,
            int32_t itsServer) const {
    return options.isLike(others) && controller == itsController &&
           server == itsServer;
  }

  moert::Status decide(const moert::RegionWish &wish,
                       moert_ocs_decision &decision);
  moert::Status settle(int32_t *circuits, moert_ocs_decision &decision);
  /// Prints on stderr how many decisions fell back, if there were more than the
  /// one that was printed.
  void report() const;

private:
  struct Hello;
  struct Word;
  struct Outcome;

  /// Finds the switch on this rank, which controls it.
  moert::Status findSwitch(moert::SwitchController *&own) const;
  /// Queries the links of the region from the switch.
  moert::Status look(moert::SwitchController &own,
                     std::vector<moert::RegionLink> &up) const;
  /// Gathers the demand of all ranks, and the controlling rank of each region.
  moert::Status gather(const moert::RegionWish &wish,
                       std::vector<double> &demand);
  /// Makes the controlling rank's decision for the total demand, and starts a
  /// change.
  moert::Status plan(const moert::RegionWish &wish,
                     const std::vector<double> &demand, Word &word);
  void start(moert::SwitchController &own, Word &word);
  /// Removes NICs that may have caused a refusal from plans.
  void blame(const moert::SwitchRequest &request);
  /// Sends the decision to all ranks, and receives it on this one.
  moert::Status tell(const Word &word);
  void fallBack(moert_status status, const std::string &why);
  moert::Status exchange(const char *what, const void *own, size_t bytes,
                         void *all, int64_t deadlineUs) const;

  moert_context *context;
  moert::RegionOptions options;
  std::string name;
  int32_t controller, server;
  bool controls;
  moert::DemandHistory history;

  /// The ranks that control a region of the job, and the maximum time of their
  /// switches.
  std::vector<int32_t> controllers;
  int64_t longestUs = 0;
  /// The last decision and its links.
  moert_ocs_decision last = {};
  std::vector<moert::RegionLink> links;
  /// Whether any region changes; and, on the rank that controls this one, its
  /// change.
  bool changesAny = false;
  std::shared_ptr<moert::SwitchRequest> request;
  /// Whether `settle` has yet to be called for the last decision.
  bool isOpen = false;
  /// Whether the switch has denied the last change; the next change is then
  /// made circuit by circuit.
  bool wasRefused = false;
  int64_t epochs = 0;
  int32_t fallbacks = 0;
};

#endif // MOERT_OCS_REGION_H
