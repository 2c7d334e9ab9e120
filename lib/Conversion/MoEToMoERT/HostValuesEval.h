// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of streams that the host reads.
//
// The host reads sizes and offsets of ragged exchanges and conditions of
// branches before it can launch work. Streams compute these numbers, possibly
// in device memory. Each value is copied to host memory once, after the work
// that computes it, and an event is recorded after the copy. Before the first
// op that needs a value, the host waits for the newest such event on the
// value's stream, which covers all copies enqueued so far. Later reads, for
// example for a combine or in a backward pass, need no wait.
//
// Values that the host computes from such numbers itself (`define`) are
// computed at their first use, so that the wait is as late as possible.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H

#include "HostFunction.h"
#include <functional>

namespace moe {

/// Returns the operands of an op that the host reads before it puts the op on a
/// stream.
llvm::SmallVector<mlir::Value> getHostOperands(mlir::Operation *op);

/// Returns the values that must be in host memory for an op: the origins of
/// these operands (`getHostOrigins`), or of the counts of a plan.
llvm::SmallVector<mlir::Value> getReadOrigins(mlir::Operation *op);

/// Returns the plan of a group of one rank whose counts experts, or their
/// gradients, read in the memory of their stream; null if the host reads their
/// runs. Such counts are the rows of each expert, one expert after another, so
/// the host has nothing to plan. Devices compute products with counts for f16
/// and bf16, sizes that are multiples of 8 and no biases (moert.h).
RaggedPlanOp getCountedPlan(mlir::Operation *op);

/// Returns the value inside results of schedules, tasks, layers and hooks. It
/// identifies the values that the host reads.
mlir::Value getOrigin(mlir::Value value);

/// The values of one function that the host reads.
class HostValuesEval {
public:
  /// Finds the values of `function` that the host needs.
  HostValuesEval(HostFunction &host, mlir::func::FuncOp function);

  /// Returns true if experts read the counts of a plan (`getCountedPlan`).
  bool hasCountedRows(RaggedPlanOp plan) const {
    return counted.contains(plan);
  }

  /// Returns true if the host needs this value and the value is its own origin.
  bool isNeeded(mlir::Value value) const { return needed.contains(value); }

  /// Copies those `values` that the host needs. The stream must just have been
  /// told to compute them at these places.
  void copy(mlir::Location loc, HostStream stream,
            llvm::ArrayRef<std::pair<mlir::Value, Place>> values);

  /// Function that creates the host memory of an op's results from the host
  /// memory of its operands.
  using Maker = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
      llvm::ArrayRef<mlir::Value> operands)>;
  /// Defines how the host computes `results` from `operands`. `make` is called
  /// once, at the first read of a result, and never if there is none.
  void define(mlir::ValueRange results, mlir::ValueRange operands, Maker make);
  /// Returns true if the host computes a value itself, so that no stream has
  /// it.
  bool isDefined(mlir::Value value) const {
    return definitionOf.contains(getOrigin(value));
  }

  /// Returns host memory with the elements of `values` for ops that are
  /// launched next; waits first if necessary.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> read(mlir::Location loc,
                                                       mlir::ValueRange values);
  /// Reads outside values that ops in a branch need, so that they are available
  /// in all regions.
  mlir::LogicalResult readBefore(mlir::Location loc, mlir::Operation *branch);
  /// Waits for unread copies of the current block, because the next program
  /// uses the same memory.
  void finishBlock(mlir::Location loc);

private:
  /// A value that a stream computes.
  struct Copy {
    mlir::Value memory;
    mlir::Block *block;
    HostStream stream;
    unsigned event = 0;
    /// Number of pieces of work on the stream, including the copy.
    unsigned works = 0;
    bool isReady = false;
  };
  /// Values that the host computes.
  struct Definition {
    llvm::SmallVector<mlir::Value> results, operands;
    Maker make;
    llvm::SmallVector<mlir::Value> memory;
  };

  /// Collects the copies of streams that a value depends on.
  mlir::LogicalResult findCopies(mlir::Location loc, mlir::Value origin,
                                 llvm::SmallVectorImpl<Copy *> &found);
  /// Waits until these copies have ended.
  void wait(mlir::Location loc, llvm::ArrayRef<Copy *> wanted);
  mlir::FailureOr<mlir::Value> get(mlir::Value origin);

  /// Adds the values that the host must have for an op to `needed`.
  void need(mlir::Operation *op);

  HostFunction &host;
  llvm::DenseSet<mlir::Value> needed;
  llvm::DenseSet<mlir::Operation *> counted;
  llvm::MapVector<mlir::Value, Copy> copies;
  std::vector<Definition> definitions;
  /// The numbers of the definition and of its result.
  llvm::DenseMap<mlir::Value, std::pair<unsigned, unsigned>> definitionOf;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H
