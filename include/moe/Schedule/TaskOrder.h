// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of tasks on their streams.
//
// Streams run their tasks in the order in which these were added to a graph.
// Any other order that dependencies allow gives the same values; which one ends
// first is the job-shop problem. Here it is searched for: from an order that
// is known, by swaps along its critical path and by moving all tasks late and
// early, and, for graphs that are small enough, through all orders, which also
// proves what none of them beats.

#ifndef MOE_SCHEDULE_TASKORDER_H
#define MOE_SCHEDULE_TASKORDER_H

#include "moe/Schedule/Simulation.h"

#include <functional>

namespace moe::schedule {

/// All tasks of a graph, each behind those that it depends on and, on its
/// stream, behind those that run before it; and what they take so.
struct TaskOrder {
  std::vector<TaskId> order;
  double timeUs = 0;
};

/// The graph with its tasks added in another order: the i-th is `order[i]`.
TaskGraph permute(const TaskGraph &graph, std::span<const TaskId> order);

/// A faster order than the graph's own, or that. Tries up to `trials` orders,
/// each simulated: tasks that run right behind each other on a stream and are
/// on the critical path swap places, or one of them goes to the front or the
/// back of all such; of these the one is taken that ends first, though it be
/// slower than before, and what was swapped is not swapped back for some time.
/// The graph is one that can run.
TaskOrder improveOrder(const TaskGraph &graph, const Contention &contention,
                       unsigned trials);

/// Whether to go on from an order that was found.
using TakeOrder = std::function<bool(std::span<const TaskId>)>;

/// Looks for orders without contention that end before `order`, which is one of
/// the graph's: tasks move as late as they can and as early, into gaps of their
/// streams, and up to `trials` times so from a schedule whose times are
/// disturbed (Li and Willis, Eur. J. Oper. Res. 60, 1992). Each that ends
/// before the last one taken is offered to `take`; the search ends at one that
/// takes `enoughUs`, which no order beats.
void justifyOrders(const TaskGraph &graph, std::span<const TaskId> order,
                   unsigned trials, double enoughUs, const TakeOrder &take);

/// The best order there is, or how far that is known.
struct OrderProof {
  TaskOrder best;
  /// No order of the graph's tasks on their streams ends before.
  double lowerBoundUs = 0;
  /// All orders were looked at, but for those that a bound or a better order of
  /// the same tasks rules out: `lowerBoundUs` is the time of `best`.
  bool isExact = false;
  /// Partial orders that were looked at.
  uint64_t numPartial = 0;
};

/// Looks for an order without contention that takes less than `known`, which is
/// one of the graph's. Partial orders grow by one task at a time in the order
/// of time; of each length at most `width` are kept, and where more are left,
/// what was left out bounds what they could have come to.
OrderProof searchAllOrders(const TaskGraph &graph, const TaskOrder &known,
                           size_t width);

/// An order of a graph of any size, found in the same way from one that can run
/// without contention: of each length the `width` partial orders of the least
/// bound are kept, and only the `horizon` tasks from the first that is left on,
/// as `order` has them, are looked at. In time in proportion to tasks, width
/// and horizon. `timeUs` is what its last partial order comes to, and infinite
/// where `order` is given back. `tailsUs` has what follows each task at least,
/// as `BoundFinder` finds it; it is found if empty.
TaskOrder searchOrdersAhead(const TaskGraph &graph,
                            std::span<const TaskId> order, size_t width,
                            size_t horizon,
                            std::span<const double> tailsUs = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_TASKORDER_H
