// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of PyTorch ops on the rows of a ragged exchange.

#ifndef MOE_LIB_TRANSFORMS_TORCHROWCHAIN_H
#define MOE_LIB_TRANSFORMS_TORCHROWCHAIN_H

#include "moe/Analysis/Replication.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <string>

namespace moe {

/// Returns the integers of the list that `torch.moe.sizes` converts to a
/// vector.
std::optional<llvm::SmallVector<mlir::Value>> getTorchSplits(mlir::Value sizes);

/// True for an exchange whose split sizes are integers of a PyTorch program.
bool hasTorchSplits(RaggedAllToAllOp exchange);

bool isTorchOp(mlir::Operation *op, llvm::StringRef name);
bool isTorchZeros(mlir::Value value);
/// Returns true for a tensor whose elements have no values yet.
bool isTorchEmpty(mlir::Value value);
/// Returns the indices of an op that takes rows of its first operand at
/// indices along the first dim; null for other ops, for indices of more dims,
/// and for masks.
mlir::Value getTakenRows(mlir::Operation *op);

/// Returns the type with a dynamic number of rows.
mlir::RankedTensorType withOpenRows(mlir::Type type);

/// An op that takes rows at indices or writes them there.
struct RowMove {
  bool puts;
  /// Operand numbers of the rows and of the indices, which may be the only item
  /// of a list.
  unsigned rows, indices;
  mlir::Value permutation;
};

/// Returns nullopt for other ops, and for indices that are not a permutation.
std::optional<RowMove> getRowMove(mlir::Operation *op);

/// A chain of ops on the rows of one exchange.
struct RowChain {
  RaggedAllToAllOp dispatch;
  /// The order of each value: the permutation that it is sorted by, or null for
  /// the order of the exchange.
  llvm::MapVector<mlir::Value, mlir::Value> orders;
  /// The ops in their order, including the exchanges back.
  llvm::SetVector<mlir::Operation *> ops;
};

/// Finds the ops between an exchange and the exchanges back that may run in
/// chunks of rows.
class RowChainFinder {
public:
  explicit RowChainFinder(const ReplicationInfo &replication)
      : replication(replication) {}

  /// Returns nullopt and the reason if the exchange must stay whole.
  std::optional<RowChain> find(RaggedAllToAllOp dispatch, std::string &reason);

  /// Records the splits of the rows that `value` joins from chunks.
  void addJoined(mlir::Value value, llvm::ArrayRef<mlir::Value> splits) {
    joined[value] = llvm::to_vector(splits);
  }

private:
  /// Returns the order of the result of an op that reads rows of a chain;
  /// nullopt if the op cannot run in chunks.
  std::optional<mlir::Value> getOrder(mlir::Operation *op,
                                      const RowChain &chain);
  /// Returns true if a value has a row for each row that an exchange with these
  /// splits receives.
  bool hasRowsOf(mlir::Value value, llvm::ArrayRef<mlir::Value> splits,
                 const RowChain &chain);
  /// Returns true if a permutation sorts a tensor with a value for each row of
  /// the chain.
  bool permutesRows(mlir::Value permutation, const RowChain &chain);
  /// Returns true if `count` is the number of these rows: their size, or the
  /// sum of the splits.
  bool isCountOf(mlir::Value count, llvm::ArrayRef<mlir::Value> splits,
                 const RowChain &chain);
  /// Returns true if `base` has the shape of `values`, which are rows of the
  /// chain, and `put` replaces its elements or adds to zeros.
  bool isBaseOfRows(mlir::Value base, mlir::Value values, mlir::Operation *put,
                    const RowChain &chain);

  const ReplicationInfo &replication;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> joined;
};

} // namespace moe

#endif // MOE_LIB_TRANSFORMS_TORCHROWCHAIN_H
