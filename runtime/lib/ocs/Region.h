// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits that follow demand.

#ifndef MOERT_OCS_REGION_H
#define MOERT_OCS_REGION_H

#include "ocs/DemandHistory.h"
#include "ocs/Handles.h"
#include "ocs/Planner.h"

namespace moert {

/// What a decision is about: one of the three, alike on all ranks of the job.
struct RegionWish {
  /// [servers]: what this rank sends to each server, to be added up; null on a
  /// rank that sends nothing.
  const double *bytes = nullptr;
  /// [servers, servers]: what servers send each other, known to the rank that
  /// controls the switch.
  const std::vector<double> *demand = nullptr;
  /// [servers, servers]: the circuits themselves, known there too.
  const int32_t *circuits = nullptr;
  double exchanges = 0, slackUs = 0;
};

} // namespace moert

/// A region as the ranks of a job know it. Decisions are made by the rank that
/// controls the switch; it asks the switch what is up before each, so that what
/// failed before, or what others have done, leaves nothing half known. Regions
/// of one job decide together, each with a switch and a controlling rank of its
/// own.
struct moert_ocs_region {
  moert_ocs_region(moert_context *context, moert::RegionOptions options,
                   std::string name, int32_t controller, int32_t server);

  void takeOut(int32_t server, int32_t nic);
  const moert::RegionOptions &getOptions() const { return options; }
  /// What was noted of the region's demands; the controlling rank plans by it.
  moert::DemandHistory &getHistory() { return history; }
  /// Whether another caller means this region.
  bool isOf(const moert::RegionOptions &others, int32_t itsController,
            int32_t itsServer) const {
    return options.isLike(others) && controller == itsController &&
           server == itsServer;
  }

  moert::Status decide(const moert::RegionWish &wish,
                       moert_ocs_decision &decision);
  moert::Status settle(int32_t *circuits, moert_ocs_decision &decision);
  /// Tells on stderr how many decisions fell back, if more did than the one
  /// that was told.
  void report() const;

private:
  struct Hello;
  struct Word;
  struct Outcome;

  /// The switch as this rank, which controls it, knows it.
  moert::Status findSwitch(moert::SwitchController *&own) const;
  /// The links of the region that the switch has, as it says.
  moert::Status look(moert::SwitchController &own,
                     std::vector<moert::RegionLink> &up) const;
  /// What all ranks have for servers, and who controls which region.
  moert::Status gather(const moert::RegionWish &wish,
                       std::vector<double> &demand);
  /// What the controlling rank makes of the demand of all; starts a change.
  moert::Status plan(const moert::RegionWish &wish,
                     const std::vector<double> &demand, Word &word);
  void start(moert::SwitchController &own, Word &word);
  /// What a refused change may be due to; takes NICs out of plans.
  void blame(const moert::SwitchRequest &request);
  /// Tells all ranks, and takes what this one is told.
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

  /// The ranks that control a region of the job, and the longest that their
  /// switches take.
  std::vector<int32_t> controllers;
  int64_t longestUs = 0;
  /// The last decision, its links, and whether it is still to be settled.
  moert_ocs_decision last = {};
  std::vector<moert::RegionLink> links;
  /// Whether a region changes, and on the rank that controls this one, if it
  /// does, its change.
  bool changesAny = false;
  std::shared_ptr<moert::SwitchRequest> request;
  bool isOpen = false;
  /// The switch has denied the last change: the next one is made circuit by
  /// circuit.
  bool wasRefused = false;
  int64_t epochs = 0;
  int32_t fallbacks = 0;
};

#endif // MOERT_OCS_REGION_H
