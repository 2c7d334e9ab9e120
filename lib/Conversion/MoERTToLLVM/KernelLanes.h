// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several elements per thread.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELLANES_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELLANES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace moe {

/// The way in which a thread computes consecutive elements of the innermost dim
/// of a parallel loop, so that it reads and writes up to 16 bytes per
/// instruction.
struct KernelLanes {
  /// Elements per thread.
  int64_t count = 1;
  /// Ops that differ between the elements.
  llvm::DenseSet<mlir::Operation *> ops;
  /// Accesses of consecutive elements, with the bytes per element, and their
  /// memory.
  llvm::DenseMap<mlir::Operation *, int64_t> runs;
  llvm::SmallVector<mlir::Value> memory;
  /// Divides the innermost sizes of the memory; 0 if the loop has one dim.
  int64_t rowLength = 0;

  /// Returns true, as a value, if all memory is aligned for these accesses.
  mlir::Value isAligned(mlir::OpBuilder &builder, mlir::Location loc,
                        const mlir::IRMapping &mapping) const;
  /// Emits the body for `count` elements from `first`, of aligned memory.
  void emit(mlir::OpBuilder &builder, mlir::scf::ParallelOp loop,
            mlir::Value first, const mlir::IRMapping &outside) const;
};

/// Returns nullopt if a thread computes one element, because the sizes are
/// unknown or small, or because the body does more than to load, compute by
/// instructions and then store consecutive elements.
std::optional<KernelLanes>
findLanes(mlir::scf::ParallelOp loop,
          llvm::ArrayRef<std::optional<int64_t>> tripCounts);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_KERNELLANES_H
