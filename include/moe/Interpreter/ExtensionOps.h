// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantics of ops of other dialects.

#ifndef MOE_INTERPRETER_EXTENSIONOPS_H
#define MOE_INTERPRETER_EXTENSIONOPS_H

#include "mlir/IR/DialectInterface.h"
#include "moe/Interpreter/Executor.h"
#include "llvm/ADT/BitVector.h"

namespace moe {

using RankLists = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// Emits "expected <what> to be N, got M on rank R" on a size that the types
/// could leave open.
mlir::LogicalResult verifySize(mlir::Operation *op, int64_t rank,
                               llvm::StringRef what, int64_t got,
                               int64_t expected);
/// The position of every rank in its group; 0 of ranks in none.
std::vector<int64_t> getPositions(const RankLists &groups, int64_t numRanks);

/// An execution, as far as ops of other dialects need it.
class OpExecution {
public:
  virtual ~OpExecution() = default;

  /// One rank's share of a local op: results are to be filled.
  using LocalBody = llvm::function_ref<mlir::LogicalResult(
      int64_t rank, llvm::ArrayRef<LocalTensor> operands,
      llvm::MutableArrayRef<LocalTensor> results)>;

  virtual mlir::LogicalResult
  forEachRank(mlir::Operation *op, const llvm::BitVector &active,
              LocalBody body, llvm::ArrayRef<int64_t> positions) = 0;
  /// The numbers of cells, which the op calls `what`. Emits an error and fails
  /// for symbols.
  virtual mlir::FailureOr<llvm::SmallVector<int64_t>>
  getIntegers(mlir::Operation *op, int64_t rank, llvm::StringRef what,
              llvm::ArrayRef<Cell> cells) = 0;
  /// Allocates a result after checking its shape against its type.
  virtual mlir::FailureOr<LocalTensor>
  allocateResult(mlir::Operation *op, unsigned result, int64_t rank,
                 llvm::ArrayRef<int64_t> shape) = 0;
  virtual mlir::FailureOr<const RankLists *>
  getGroups(mlir::Operation *op, GroupAttrInterface group) = 0;
  /// Emits an error unless the ranks that plan together do so by the same
  /// counts.
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
