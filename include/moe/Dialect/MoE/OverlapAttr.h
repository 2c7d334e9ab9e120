// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlap of a scheduled task with other tasks on the SMs of one GPU.
//
// Matrix products occupy every streaming multiprocessor (SM) until they end, so
// a collective that becomes ready meanwhile starts late. There are three
// choices: the host launches the collective before the product, the product
// leaves SMs free, or the collective waits. The attribute states the choice and
// its cost, so that every simulation of the schedule uses the same cost.

#ifndef MOE_DIALECT_MOE_OVERLAPATTR_H
#define MOE_DIALECT_MOE_OVERLAPATTR_H

#include "mlir/IR/Operation.h"
#include "moe/Support/EnumNames.h"
#include <optional>
#include <string>

namespace moe {

/// Name of the attribute of `moe.task`: a dictionary with the keys below.
inline constexpr llvm::StringLiteral kOverlapAttrName = "moe.overlap";

/// Maximum number of SMs that a task can leave free.
inline constexpr int64_t kMostFreeSms = 4096;
/// Largest slowdown that the simulator accepts.
inline constexpr double kMostSlowdown = 1e6;

/// The start of a collective relative to products that become ready at about
/// the same time.
enum class CollectiveStart {
  /// `start = "before"`: the next product waits until the collective can
  /// start, and the host launches the collective first.
  Before,
  /// `start = "behind"`: the collective waits for the running product.
  Behind,
  /// `start = "concurrent"`: the running product leaves SMs free.
  Concurrent
};
template <> struct EnumNames<CollectiveStart> {
  static constexpr EnumName<CollectiveStart> all[] = {
      {CollectiveStart::Before, "before", "launched before the product"},
      {CollectiveStart::Behind, "behind", "after the product that runs"},
      {CollectiveStart::Concurrent, "concurrent",
       "on SMs that the product leaves"}};
};

/// The contents of the attribute.
struct TaskOverlap {
  /// Only for a task with collectives.
  std::optional<CollectiveStart> start;
  /// `free_sms = N : i64`, for a task with products: SMs that its products
  /// leave free; 0 for none.
  int64_t freeSms = 0;
  /// `slowdown = F : f64`, 1 to `kMostSlowdown`, for a task with products: the
  /// factor on the task's time on the SMs that it does not leave free. If it
  /// leaves none free, the factor applies while a collective runs.
  double slowdown = 1;

  bool operator==(const TaskOverlap &) const = default;
};

/// Returns the contents of a task's verified attribute; all defaults without
/// one.
TaskOverlap getOverlap(mlir::Operation *task);
/// Replaces the attribute, or removes it if all members have their defaults.
void setOverlap(mlir::Operation *task, const TaskOverlap &overlap);

/// Returns the error in the attribute of an operation, "expected ..., got ...",
/// or an empty string.
std::string checkOverlap(mlir::Operation *op, mlir::Attribute attr);

} // namespace moe

#endif // MOE_DIALECT_MOE_OVERLAPATTR_H
