// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for orders of tasks on their streams.
//
// Streams run their tasks in the order of their addition to a graph. Any other
// order that respects dependencies gives the same values; finding the one that
// ends first is the job-shop problem. The searches start from a known order and
// swap tasks along its critical path, or move all tasks late and early. For
// small graphs, a search through all orders also proves a lower bound.

#ifndef MOE_SCHEDULE_TASKORDER_H
#define MOE_SCHEDULE_TASKORDER_H

#include "moe/Schedule/Simulation.h"

#include <functional>

namespace moe::schedule {

/// All tasks of a graph in an order that respects dependencies and the order on
/// each stream, and the time of that order.
struct TaskOrder {
  std::vector<TaskId> order;
  double timeUs = 0;
};

/// Returns the graph with its tasks added in another order: the i-th is
/// `order[i]`.
TaskGraph permute(const TaskGraph &graph, std::span<const TaskId> order);

/// Returns a faster order than the graph's own, or that order if none is found.
/// Up to `trials` orders are simulated. Adjacent tasks of a stream on the
/// critical path swap places, or one of them moves to the front or the back of
/// its run. The best of these moves is taken even if it is slower than before,
/// and is not reverted for some time. The graph must be able to run.
TaskOrder improveOrder(const TaskGraph &graph, const Contention &contention,
                       unsigned trials);

/// Returns whether to continue the search after an order was found.
using TakeOrder = std::function<bool(std::span<const TaskId>)>;

/// Searches for orders without contention that end before `order`, which is an
/// order of the graph. Tasks move as late and then as early as possible, into
/// gaps of their streams, and up to `trials` times this restarts from a
/// schedule with perturbed times (Li and Willis, Eur. J. Oper. Res. 60, 1992).
/// Each order that ends before the last accepted one is passed to `take`. The
/// search ends at an order that takes `enoughUs`, a lower bound.
void justifyOrders(const TaskGraph &graph, std::span<const TaskId> order,
                   unsigned trials, double enoughUs, const TakeOrder &take);

/// The best order, and a proof of its quality.
struct OrderProof {
  TaskOrder best;
  /// No order of the graph's tasks on their streams ends earlier.
  double lowerBoundUs = 0;
  /// True if the search covered all orders except those that a bound or a
  /// better order of the same tasks rules out; `lowerBoundUs` is then the time
  /// of `best`.
  bool isExact = false;
  /// Number of examined partial orders.
  uint64_t numPartial = 0;
};

/// Searches for an order without contention that takes less than `known`, which
/// is an order of the graph. Partial orders grow by one task at a time in order
/// of time. At most `width` of each length are kept, and the lower bound
/// accounts for the discarded ones.
OrderProof searchAllOrders(const TaskGraph &graph, const TaskOrder &known,
                           size_t width);

/// Finds an order of a graph of any size in the same way, from an order that
/// can run without contention. At each length, the search keeps the `width`
/// partial orders with the smallest bounds and considers only the next
/// `horizon` remaining tasks in the sequence of `order`, so its time is
/// proportional to the number of tasks, `width` and `horizon`. `timeUs` of the
/// result is the time of its last partial order, or infinity if `order` is
/// returned. `tailsUs` has the minimum time after each task, as found by
/// `BoundFinder`; it is computed if empty.
TaskOrder searchOrdersAhead(const TaskGraph &graph,
                            std::span<const TaskId> order, size_t width,
                            size_t horizon,
                            std::span<const double> tailsUs = {});

} // namespace moe::schedule

#endif // MOE_SCHEDULE_TASKORDER_H
