//===- Region.h - Circuits that follow demand -------------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOERT_OCS_REGION_H
#define MOERT_OCS_REGION_H

#include "ocs/Handles.h"
#include "ocs/Planner.h"

/// A region as the ranks of a job know it. Decisions are made by the rank that
/// controls the switch; it asks the switch what is up before each, so that what
/// failed before, or what others have done, leaves nothing half known.
struct moert_ocs_region {
  moert_ocs_region(moert_context *context, moert::RegionOptions options,
                   std::string name, int32_t controller, int32_t server);
  ~moert_ocs_region();

  void takeOut(int32_t server, int32_t nic);
  const moert::RegionOptions &getOptions() const { return options; }

  moert::Status decide(const double *bytes, double exchanges, double slackUs,
                       moert_ocs_decision &decision);
  moert::Status settle(int32_t *circuits, moert_ocs_decision &decision);

private:
  struct Demand;
  struct Word;

  bool controls() const { return moert_rank(context) == controller; }
  /// The longest that looking at the switch takes.
  int64_t getLookUs() const;
  /// The links of the region that the switch has, as it says.
  moert::Status look(std::vector<moert::RegionLink> &up);
  /// What the controlling rank makes of the demand of all.
  moert::Status plan(const std::vector<double> &bytes, double exchanges,
                     double slackUs, Word &word);
  void fallBack(moert_status status, const std::string &why);
  moert::Status exchange(const char *what, const void *own, size_t bytes,
                         void *all, int64_t deadlineUs) const;

  moert_context *context;
  moert::RegionOptions options;
  std::string name;
  int32_t controller, server;
  /// The switch; on the controlling rank null when there is none, and why.
  moert_ocs *device = nullptr;
  moert::Status missingDevice;

  /// The last decision, its links, and whether it is still to be settled.
  moert_ocs_decision last = {};
  std::vector<moert::RegionLink> links;
  moert_ocs_change *change = nullptr;
  bool isOpen = false;
  int64_t epochs = 0;
  int32_t fallbacks = 0;
};

#endif // MOERT_OCS_REGION_H
