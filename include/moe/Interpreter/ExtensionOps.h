// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for dialects that define the semantics of their ops.

#ifndef MOE_INTERPRETER_EXTENSIONOPS_H
#define MOE_INTERPRETER_EXTENSIONOPS_H

#include "mlir/IR/DialectInterface.h"
#include "moe/Interpreter/Executor.h"
#include "llvm/ADT/BitVector.h"

namespace moe {

using RankLists = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// Emits "expected <what> to be N, got M on rank R" if a size that the types
/// may leave dynamic is wrong.
mlir::LogicalResult verifySize(mlir::Operation *op, int64_t rank,
                               llvm::StringRef what, int64_t got,
                               int64_t expected);
/// Returns the position of every rank in its group; 0 for ranks without a
/// group.
std::vector<int64_t> getPositions(const RankLists &groups, int64_t numRanks);

/// The parts of an execution that ops of other dialects use.
class OpExecution {
public:
  virtual ~OpExecution() = default;

  /// Executes one rank's part of a local op and must fill `results`.
  using LocalBody = llvm::function_ref<mlir::LogicalResult(
      int64_t rank, llvm::ArrayRef<LocalTensor> operands,
      llvm::MutableArrayRef<LocalTensor> results)>;

  virtual mlir::LogicalResult
  forEachRank(mlir::Operation *op, const llvm::BitVector &active,
              LocalBody body, llvm::ArrayRef<int64_t> positions) = 0;
  /// Returns the integers in cells; `what` names them in messages. Emits an
  /// error and fails if they are symbols.
  virtual mlir::FailureOr<llvm::SmallVector<int64_t>>
  getIntegers(mlir::Operation *op, int64_t rank, llvm::StringRef what,
              llvm::ArrayRef<Cell> cells) = 0;
  /// Allocates a result after checking its shape against its type.
  virtual mlir::FailureOr<LocalTensor>
  allocateResult(mlir::Operation *op, unsigned result, int64_t rank,
                 llvm::ArrayRef<int64_t> shape) = 0;
  virtual mlir::FailureOr<const RankLists *>
  getGroups(mlir::Operation *op, GroupAttrInterface group) = 0;
  /// Emits an error unless all ranks that plan together use the same counts.
  virtual mlir::LogicalResult
  verifySameCounts(mlir::Operation *op, mlir::Value counts,
                   const RankLists &groups, const llvm::BitVector &active) = 0;
  virtual Domain &getDomain() = 0;
  virtual int64_t getNumRanks() const = 0;
};

/// A dialect that defines the semantics of its ops.
class InterpretedDialectInterface
    : public mlir::DialectInterface::Base<InterpretedDialectInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InterpretedDialectInterface)

  explicit InterpretedDialectInterface(mlir::Dialect *dialect)
      : Base(dialect) {}

  virtual mlir::LogicalResult run(mlir::Operation *op,
                                  const llvm::BitVector &active,
                                  OpExecution &execution) const = 0;
};

} // namespace moe

#endif // MOE_INTERPRETER_EXTENSIONOPS_H
