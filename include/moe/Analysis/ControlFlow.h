// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranks go the same way.

#ifndef MOE_ANALYSIS_CONTROLFLOW_H
#define MOE_ANALYSIS_CONTROLFLOW_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "moe/Analysis/Replication.h"

namespace moe {

/// The operands of a region-branching op or of its terminators that decide
/// which regions run and how often, rather than being handed to them: the
/// condition of an `scf.if`, the bounds of an `scf.for`.
llvm::SmallVector<mlir::Value> getControlOperands(mlir::Operation *branch);

/// True for an op whose regions run as structured control flow that the
/// analysis understands: scf.if, scf.for, scf.while, scf.index_switch,
/// moe.layer, moe.pipeline, moe.schedule, moe.task.
bool isKnownControlFlow(mlir::Operation *op);

/// Control flow that ranks may go through in different ways.
struct Divergence {
  /// The branch, loop or terminator, or an op of whose regions nothing is
  /// known. It may be gone: rewrites erase what is never reached.
  mlir::OperationName op;
  mlir::Location loc;
  /// The mesh axes ranks that go different ways may differ in.
  uint64_t axes;
  /// False for an op of whose regions nothing is known.
  bool isKnown;
  /// True when it is found around a call of the function, not in it.
  bool isAroundCall = false;
};

/// How often a loop runs, if its bounds and step are constants and its step is
/// positive: exact also where upper minus lower bound is beyond their type.
std::optional<llvm::APInt> getTripCount(mlir::scf::ForOp loop);

/// Which ops every rank of a group reaches as often as the others, in the
/// same turn: where ranks may meet. Reads branches, loops, unstructured
/// branches of the function (each of which counts for all its blocks), the
/// function's `moe.divergent` and, where asked, the control flow around all
/// calls of the function; a function whose address is taken may be called
/// anywhere. A function that the module never calls is taken to be called by
/// all ranks alike.
class ControlInfo {
public:
  explicit ControlInfo(const ReplicationInfo &replication)
      : replication(replication) {}

  const ReplicationInfo &getReplication() const { return replication; }

  /// The axes over which ranks must reach `op` together: those of a
  /// collective's group, or of all collectives that a called function runs;
  /// nullopt when they need not.
  std::optional<uint64_t> getRendezvousAxes(mlir::Operation *op) const;

  /// The axes the values that steer a branch or loop vary over.
  uint64_t getControlAxes(mlir::Operation *branch) const;

  /// The first control flow around `op` in its function that ranks which
  /// differ in some of `axes` may go through in different ways.
  std::optional<Divergence> findDivergence(mlir::Operation *op,
                                           uint64_t axes) const;

  /// The same, also around the calls of its function, and of their functions.
  std::optional<Divergence> findDivergenceWithCalls(mlir::Operation *op,
                                                    uint64_t axes) const;

  /// Those of `axes` for which `findDivergenceWithCalls` finds something.
  uint64_t getDivergentAxes(mlir::Operation *op, uint64_t axes) const;

private:
  /// What is known of one function.
  struct Function {
    /// The axes of the collectives it runs, directly or through calls.
    std::optional<uint64_t> rendezvous;
    /// The control flow around its calls, the axes of all of it in `axes`.
    std::optional<Divergence> calls;
  };

  /// Reads all functions and calls, once.
  const llvm::DenseMap<mlir::Operation *, Function> &getFunctions() const;
  void collectRendezvous() const;
  void collectCalls() const;
  /// The axes that a function's `moe.divergent` names.
  uint64_t getStatedAxes(mlir::Operation *function) const;
  std::optional<Divergence> findBranch(mlir::Operation *function,
                                       uint64_t axes) const;

  const ReplicationInfo &replication;
  mutable mlir::SymbolTableCollection symbols;
  mutable std::optional<llvm::DenseMap<mlir::Operation *, Function>> functions;
};

} // namespace moe

#endif // MOE_ANALYSIS_CONTROLFLOW_H
