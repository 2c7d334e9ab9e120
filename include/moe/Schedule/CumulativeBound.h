// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds for streams that take turns.
//
// If tasks of several streams slow each other down so much that running them
// concurrently gains nothing over running them in turn, they share a machine,
// for example links where one stream's traffic waits for another's (SPEC
// MO-12). Treated as one stream, they give tighter bounds and better orders.

#ifndef MOE_SCHEDULE_CUMULATIVEBOUND_H
#define MOE_SCHEDULE_CUMULATIVEBOUND_H

#include "moe/Schedule/Bounds.h"

#include <optional>
#include <vector>

namespace moe::schedule {

/// Maximum relative difference between an order and the joined graph, because a
/// waiting task still advances by a millionth: an order may end earlier by this
/// fraction.
constexpr double kJoinSlack = 1e-5;

/// Returns the graph with such tasks moved to additional streams, after the
/// other streams, in the order of their ids; nullopt if there are no such
/// tasks. Resources form one machine if any two of them gain at most a
/// hundred-thousandth by running concurrently; a single resource does so if its
/// own tasks on several streams gain nothing.
std::optional<TaskGraph> joinStreams(const TaskGraph &graph,
                                     const Contention &contention);

/// Finds the bound, counting in `stagedUs` the resources of `contention` that
/// take turns. Returns false under the same conditions as `BoundFinder::run`.
[[nodiscard]] bool findBound(BoundFinder &finder, const TaskGraph &graph,
                             const Contention &contention, LowerBound &bound,
                             BoundEffort effort = BoundEffort::Staged);

/// The minimum time after each task, in the graph and in the joined graph.
struct Tails {
  std::vector<double> ownUs, joinedUs;
};

/// The same for a graph and the result of `joinStreams` on it.
[[nodiscard]] bool findBound(BoundFinder &finder, const TaskGraph &graph,
                             const std::optional<TaskGraph> &joined,
                             LowerBound &bound, Tails &tails,
                             BoundEffort effort = BoundEffort::Staged);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CUMULATIVEBOUND_H
