// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of a training step that share links (SPEC MO-12).

#ifndef MOE_PLANNING_CONFLICTS_H
#define MOE_PLANNING_CONFLICTS_H

#include "moe/Options/PlatformOption.h"
#include "moe/Planning/ConfigJob.h"
#include "moe/Planning/Planner.h"

namespace moe::planning {

/// Whether a step waits for an exchange before continuing.
enum class Waiting { Sync, Async };

} // namespace moe::planning

template <> struct moe::EnumNames<moe::planning::Waiting> {
  using Waiting = planning::Waiting;
  static constexpr EnumName<Waiting> all[] = {
      {Waiting::Async, "async",
       "concurrently with the following work (default)"},
      {Waiting::Sync, "sync", "before the following work"}};
};

namespace moe::planning {

struct ConflictsInput : Input {
  MachineOptions platform{table};
  /// Without --config, only degrees are accepted.
  ConfigJob job{table,
                {JobOptions::Missing::Command, JobOptions::Missing::One}};
  WordOption<Waiting> sends{table, "stage-sends",
                            "When pipeline stages send to each other",
                            Waiting::Async};
  WordOption<Waiting> gradients{table, "gradient-sums",
                                "When gradients are all-reduced over dp, "
                                "relative to the backward pass",
                                Waiting::Async};
  TextOption priorities{
      table, "priorities",
      "Parallelism axes, highest priority first (default: ep,pp,cp,dp)", "AXES",
      "ep,pp,cp,dp"};
};

/// A kind of parallelism, the axes of the mesh [dp, pp, cp, ep, tp] that span
/// its groups, and the links that its groups cross.
struct ConflictAxis {
  std::string name;
  std::vector<unsigned> places;
  /// Ranks per group, and the distance between neighbours.
  int64_t size = 1, stride = 1;
  /// Machine levels, and their names.
  std::vector<unsigned> levels = {};
  std::vector<std::string> links = {};
};

/// Two exchanges of one phase that would run concurrently.
struct ExchangePair {
  const char *phase;
  /// Each exchange with its axis.
  const char *first, *what, *second, *other;
  std::vector<std::string> links;
  /// The axis with the higher priority; empty without a conflict.
  std::string goesFirst;
  /// Why they do not conflict; empty with a conflict.
  std::string whyNot;
};

struct ConflictsAnswer {
  static constexpr unsigned kJsonIndent = 2;

  std::string machine, priorities;
  /// Sorted from the fastest axis.
  std::vector<ConflictAxis> axes;
  std::vector<ExchangePair> pairs;
};

Result<ConflictsAnswer> planConflicts(ConflictsInput &in);

std::string getTitle(const ConflictsAnswer &answer);
void printJSON(llvm::json::OStream &out, const ConflictsAnswer &answer);

} // namespace moe::planning

#endif // MOE_PLANNING_CONFLICTS_H
