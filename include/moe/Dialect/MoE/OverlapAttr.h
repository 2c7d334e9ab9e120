// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a task of a schedule overlaps with others on the SMs of a GPU.
//
// Products of matrices occupy every streaming multiprocessor (SM) until they
// end, so a collective that becomes ready meanwhile starts late. Either the
// host launches it before the product, or the product leaves SMs free, or it
// waits; all three cost something, which the attribute states along with the
// choice, so that every simulation of the schedule prices it alike.

#ifndef MOE_DIALECT_MOE_OVERLAPATTR_H
#define MOE_DIALECT_MOE_OVERLAPATTR_H

#include "mlir/IR/Operation.h"
#include "moe/Support/EnumNames.h"
#include <optional>
#include <string>

namespace moe {

/// Name of the attribute of `moe.task`: a dictionary of the keys below.
inline constexpr llvm::StringLiteral kOverlapAttrName = "moe.overlap";

/// The most SMs that a task can leave free.
inline constexpr int64_t kMostFreeSms = 4096;
/// The largest slowdown: what the simulator takes.
inline constexpr double kMostSlowdown = 1e6;

/// Where a collective starts, relative to products that are ready at about the
/// same time.
enum class CollectiveStart {
  /// `start = "before"`: the next product waits until the collective can
  /// start, and the host launches the collective first.
  Before,
  /// `start = "behind"`: the collective waits for the product that runs.
  Behind,
  /// `start = "concurrent"`: the product that runs leaves SMs free.
  Concurrent
};
template <> struct EnumNames<CollectiveStart> {
  static constexpr EnumName<CollectiveStart> all[] = {
      {CollectiveStart::Before, "before", "launched before the product"},
      {CollectiveStart::Behind, "behind", "after the product that runs"},
      {CollectiveStart::Concurrent, "concurrent",
       "on SMs that the product leaves"}};
};

/// What the attribute says of a task.
struct TaskOverlap {
  /// Only for a task with collectives.
  std::optional<CollectiveStart> start;
  /// `free_sms = N : i64`, for a task with products: SMs that its products
  /// leave free; 0 for none.
  int64_t freeSms = 0;
  /// `slowdown = F : f64`, 1 to `kMostSlowdown`, for a task with products: how
  /// many times as long the task takes on the SMs that it does not leave free;
  /// if it leaves none, how many times as long while a collective runs.
  double slowdown = 1;

  bool operator==(const TaskOverlap &) const = default;
};

/// What a task's attribute says; all defaults without one. The attribute has
/// been verified.
TaskOverlap getOverlap(mlir::Operation *task);
/// Replaces what the attribute says; removes it if nothing differs from the
/// defaults.
void setOverlap(mlir::Operation *task, const TaskOverlap &overlap);

/// What is wrong with the attribute of an operation, "expected ..., got ...";
/// empty if nothing is.
std::string checkOverlap(mlir::Operation *op, mlir::Attribute attr);

} // namespace moe

#endif // MOE_DIALECT_MOE_OVERLAPATTR_H
