// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cutting a body into kernels.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H

#include "Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace moe {

struct KernelLanes;

/// Cuts one body into pieces, and emits each as a kernel. Values between pieces
/// that have no effects are cloned into the pieces that use them; scalars that
/// another piece computes are passed through memory.
class BodyCutter {
public:
  BodyCutter(mlir::func::FuncOp body, int64_t numInputs,
             mlir::gpu::GPUModuleOp kernels)
      : body(body), numInputs(numInputs), kernels(kernels), symbols(kernels),
        builder(body.getContext()) {}

  /// Emits an error and fails for ops that devices cannot run.
  mlir::FailureOr<BodyKernels> run();

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;
  using LogicalResult = mlir::LogicalResult;

  /// A branch around an op, and the condition's value in it.
  struct Guard {
    Value condition;
    bool isTaken;
    bool operator==(const Guard &other) const {
      return condition == other.condition && isTaken == other.isTaken;
    }
  };
  /// Ops that become one kernel: a parallel loop, or ops of a single thread.
  struct Piece {
    llvm::SmallVector<Operation *> ops;
    llvm::SmallVector<Guard> guards;
    mlir::scf::ParallelOp loop;
  };

  // KernelFission.cpp: cutting, and values that are passed through memory.
  mlir::InFlightDiagnostic refuse(mlir::Operation *op);
  /// Emits the same error for a tensor, in terms of the source program.
  mlir::InFlightDiagnostic refuseTensor(mlir::Operation *allocation);
  int64_t addScratch(int64_t bytes);
  LogicalResult takeMemory();
  LogicalResult takeMemory(Operation *allocation);
  bool isFree(Operation *op);
  LogicalResult collect(mlir::Block &block, llvm::ArrayRef<Guard> guards);
  LogicalResult findSpills(unsigned piece);
  LogicalResult findSpills(Value value, unsigned piece);

  // KernelPieces.cpp: pieces as kernels.
  void emit(const Piece &piece);
  void emitLoop(mlir::scf::ParallelOp loop);
  void emitLanes(mlir::scf::ParallelOp loop, const KernelLanes &lanes,
                 int64_t inner);
  /// Returns the value inside the kernel, available at the insertion point.
  Value bring(Value value);
  void bringAll(Operation *op);
  Value addArgument(mlir::Type type, KernelOperand operand, mlir::Location loc);
  /// Erases the kernel if an equivalent one exists.
  void finish();

  mlir::func::FuncOp body;
  const int64_t numInputs;
  mlir::gpu::GPUModuleOp kernels;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  BodyKernels result;
  llvm::SmallVector<Piece> pieces;
  /// The piece of each op, including nested ops.
  llvm::DenseMap<Operation *, unsigned> pieceOf;
  /// Byte offsets in the scratch memory: of the body's allocations, and of
  /// scalars that one piece stores for others, in the order of discovery.
  llvm::DenseMap<Value, int64_t> memory;
  llvm::MapVector<Value, int64_t> spills;

  // The current kernel.
  mlir::gpu::GPUFuncOp kernel;
  KernelLaunch launch;
  mlir::IRMapping mapping;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H
