// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams that run in turn.
//
// Tasks of several streams that slow each other down until they do no more at
// once than in turn share a machine: links of which one stream's traffic waits
// for another's (SPEC MO-12). Seen as one stream they bound a schedule, and are
// put in order, as what they are.

#ifndef MOE_SCHEDULE_CUMULATIVEBOUND_H
#define MOE_SCHEDULE_CUMULATIVEBOUND_H

#include "moe/Schedule/Bounds.h"

#include <optional>
#include <vector>

namespace moe::schedule {

/// Of streams as one: the share by which an order may end before what the
/// joined graph takes, as what waits for another still advances by a millionth.
constexpr double kJoinSlack = 1e-5;

/// The graph with such tasks on a stream of their own, behind the others, in
/// the order of their ids; none where there are none. Resources of which any
/// two do no more at once than in turn, but for a hundred thousandth, are one
/// machine, and so is one whose own tasks on several streams do not.
std::optional<TaskGraph> joinStreams(const TaskGraph &graph,
                                     const Contention &contention);

/// The bound with what of `contention` runs in turn counted in `stagedUs`.
/// False as `BoundFinder::run`.
[[nodiscard]] bool findBound(BoundFinder &finder, const TaskGraph &graph,
                             const Contention &contention, LowerBound &bound,
                             BoundEffort effort = BoundEffort::Staged);

/// What follows each task at least, in the graph and in the joined one.
struct Tails {
  std::vector<double> ownUs, joinedUs;
};

/// The same of a graph that `joined` was made of.
[[nodiscard]] bool findBound(BoundFinder &finder, const TaskGraph &graph,
                             const std::optional<TaskGraph> &joined,
                             LowerBound &bound, Tails &tails,
                             BoundEffort effort = BoundEffort::Staged);

} // namespace moe::schedule

#endif // MOE_SCHEDULE_CUMULATIVEBOUND_H
