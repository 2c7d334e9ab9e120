// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analysis of control flow that differs between ranks.

#ifndef MOE_ANALYSIS_CONTROLFLOW_H
#define MOE_ANALYSIS_CONTROLFLOW_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "moe/Analysis/Replication.h"

namespace moe {

/// Returns the operands of a region-branching op or of its terminators that
/// decide which regions run and how often, in contrast to forwarded values; for
/// example, the condition of an `scf.if` or the bounds of an `scf.for`.
llvm::SmallVector<mlir::Value> getControlOperands(mlir::Operation *branch);

/// Returns true for an op with regions that run as structured control flow that
/// the analysis understands: scf.if, scf.for, scf.while, scf.index_switch,
/// moe.layer, moe.pipeline, moe.schedule, moe.task.
bool isKnownControlFlow(mlir::Operation *op);

/// Control flow where ranks may take different paths.
struct Divergence {
  /// The branch, loop or terminator, or an op with regions of unknown
  /// semantics. It is stored by name because rewrites may have erased the op as
  /// unreachable.
  mlir::OperationName op;
  mlir::Location loc;
  /// The mesh axes along which ranks on different paths may differ.
  uint64_t axes;
  /// False for an op with regions of unknown semantics.
  bool isKnown;
  /// True if the divergence is around a call of the function instead of in it.
  bool isAroundCall = false;
};

/// Returns how often a loop runs if its bounds and step are constants and its
/// step is positive. The result is exact even if the difference of the bounds
/// overflows their type.
std::optional<llvm::APInt> getTripCount(mlir::scf::ForOp loop);

/// Determines which ops every rank of a group reaches equally often and in the
/// same order, so that ranks may meet there. The analysis reads branches,
/// loops, unstructured branches of the function (which count for all its
/// blocks), the function's `moe.divergent` and, on request, the control flow
/// around all calls of the function. A function with its address taken may be
/// called anywhere. A function that the module never calls is assumed to be
/// called by all ranks alike.
class ControlInfo {
public:
  explicit ControlInfo(const ReplicationInfo &replication)
      : replication(replication) {}

  const ReplicationInfo &getReplication() const { return replication; }

  /// Returns the axes of the ranks that must reach `op` together: the axes of a
  /// collective's group, or of all collectives that a called function runs.
  /// Returns nullopt if they need not.
  std::optional<uint64_t> getRendezvousAxes(mlir::Operation *op) const;

  /// Returns the axes over which the values that control a branch or loop vary.
  uint64_t getControlAxes(mlir::Operation *branch) const;

  /// Returns the first control flow around `op` in its function where ranks
  /// that differ along some of `axes` may take different paths.
  std::optional<Divergence> findDivergence(mlir::Operation *op,
                                           uint64_t axes) const;

  /// The same, but also searches around the calls of its function, and of their
  /// functions.
  std::optional<Divergence> findDivergenceWithCalls(mlir::Operation *op,
                                                    uint64_t axes) const;

  /// Returns the subset of `axes` with a result of `findDivergenceWithCalls`.
  uint64_t getDivergentAxes(mlir::Operation *op, uint64_t axes) const;

private:
  /// Results for one function.
  struct Function {
    /// The axes of the collectives that it runs, directly or through calls.
    std::optional<uint64_t> rendezvous;
    /// The first divergence around its calls; `axes` has the union over all of
    /// them.
    std::optional<Divergence> calls;
  };

  /// Reads all functions and calls once.
  const llvm::DenseMap<mlir::Operation *, Function> &getFunctions() const;
  void collectRendezvous() const;
  void collectCalls() const;
  /// Returns the axes in a function's `moe.divergent`.
  uint64_t getStatedAxes(mlir::Operation *function) const;
  std::optional<Divergence> findBranch(mlir::Operation *function,
                                       uint64_t axes) const;

  const ReplicationInfo &replication;
  mutable mlir::SymbolTableCollection symbols;
  mutable std::optional<llvm::DenseMap<mlir::Operation *, Function>> functions;
};

} // namespace moe

#endif // MOE_ANALYSIS_CONTROLFLOW_H
