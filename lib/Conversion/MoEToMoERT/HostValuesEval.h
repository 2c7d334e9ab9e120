// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of streams that the host reads.
///
/// What the host must know to tell streams what to do: sizes and offsets of
/// ragged exchanges, conditions of branches. Streams compute such numbers, in
/// memory that may be a device's. Each value is copied to memory of the host
/// once, behind the work that makes it, and an event stands behind the copy.
/// The host waits when it comes to the first op that needs one, for the newest
/// of these events on the value's stream: once for all that the stream was told
/// to copy by then. It reads them again, for a combine or in a backward pass,
/// without a wait.
///
/// Values that the host computes of such numbers itself (`define`) are computed
/// where the first of them is needed, which is the latest place to wait.
///
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H

#include "HostFunction.h"
#include <functional>

namespace moe {

/// The operands of an op that the host reads before it puts the op on a stream.
llvm::SmallVector<mlir::Value> getHostOperands(mlir::Operation *op);

/// The value behind results of schedules, tasks, layers and hooks: by it what
/// the host reads is known.
mlir::Value getOrigin(mlir::Value value);

/// The numbers of one function that the host reads.
class HostValuesEval {
public:
  /// Finds which values of `function` the host needs.
  HostValuesEval(HostFunction &host, mlir::func::FuncOp function);

  /// Whether the host needs this value, and it is the origin of its like.
  bool isNeeded(mlir::Value value) const { return needed.contains(value); }

  /// Copies those of `values`, which the stream has just been told to make at
  /// these places, that the host needs.
  void copy(mlir::Location loc, HostStream stream,
            llvm::ArrayRef<std::pair<mlir::Value, Place>> values);

  /// Makes the memory of the host in which an op's results are, from that of
  /// its operands, which the host can read.
  using Maker = std::function<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
      llvm::ArrayRef<mlir::Value> operands)>;
  /// Says how the host computes `results` of `operands`; `make` is called once,
  /// where the first of them is read, and never when none is.
  void define(mlir::ValueRange results, mlir::ValueRange operands, Maker make);
  /// Whether the host computes a value itself, so that no stream has it.
  bool isDefined(mlir::Value value) const {
    return definitionOf.contains(getOrigin(value));
  }

  /// Memory of the host with the elements of `values`, which ops launched next
  /// may read: waits first, if need be.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> read(mlir::Location loc,
                                                       mlir::ValueRange values);
  /// Makes ready what ops inside of a branch read of what is made outside, so
  /// that it is on all ways.
  mlir::LogicalResult readBefore(mlir::Location loc, mlir::Operation *branch);
  /// Waits for what was copied in the current block and not read: the next
  /// program uses the same memory.
  void finishBlock(mlir::Location loc);

private:
  /// A value that a stream makes.
  struct Copy {
    mlir::Value memory;
    mlir::Block *block;
    HostStream stream;
    unsigned event = 0;
    /// How many pieces of work the stream has been given with the copy.
    unsigned works = 0;
    bool isReady = false;
  };
  /// Values that the host makes.
  struct Definition {
    llvm::SmallVector<mlir::Value> results, operands;
    Maker make;
    llvm::SmallVector<mlir::Value> memory;
  };

  /// Values of streams that must be there for a value to be.
  mlir::LogicalResult findCopies(mlir::Location loc, mlir::Value origin,
                                 llvm::SmallVectorImpl<Copy *> &found);
  /// Waits until these are there.
  void wait(mlir::Location loc, llvm::ArrayRef<Copy *> wanted);
  mlir::FailureOr<mlir::Value> get(mlir::Value origin);

  HostFunction &host;
  llvm::DenseSet<mlir::Value> needed;
  llvm::MapVector<mlir::Value, Copy> copies;
  std::vector<Definition> definitions;
  /// The number of the definition and of its result.
  llvm::DenseMap<mlir::Value, std::pair<unsigned, unsigned>> definitionOf;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTVALUESEVAL_H
