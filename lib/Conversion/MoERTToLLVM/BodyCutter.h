// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body in pieces that are kernels.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H

#include "Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace moe {

/// Cuts one body into pieces, and emits each as a kernel. What one piece needs
/// of what stands between pieces it gets as a copy of its own, where that has
/// no effect; numbers that another piece computes go through memory.
class BodyCutter {
public:
  BodyCutter(mlir::func::FuncOp body, int64_t numInputs,
             mlir::gpu::GPUModuleOp kernels)
      : body(body), numInputs(numInputs), kernels(kernels), symbols(kernels),
        builder(body.getContext()) {}

  /// Emits an error and fails for what a device cannot run.
  mlir::FailureOr<BodyKernels> run();

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;
  using LogicalResult = mlir::LogicalResult;

  /// A branch that an op stands in, taken when the condition is so.
  struct Guard {
    Value condition;
    bool isTaken;
    bool operator==(const Guard &other) const {
      return condition == other.condition && isTaken == other.isTaken;
    }
  };
  /// Ops that become one kernel: a parallel loop, or what one thread does.
  struct Piece {
    llvm::SmallVector<Operation *> ops;
    llvm::SmallVector<Guard> guards;
    mlir::scf::ParallelOp loop;
  };

  // KernelFission.cpp: which pieces there are, and what goes through memory.
  mlir::InFlightDiagnostic refuse(mlir::Operation *op);
  /// The same of a tensor, in the words of the program that it is from.
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
  /// The value in the kernel, before the point that is emitted.
  Value bring(Value value);
  void bringAll(Operation *op);
  Value addArgument(mlir::Type type, KernelOperand operand, mlir::Location loc);
  /// Drops the kernel if there is one that does the same.
  void finish();

  mlir::func::FuncOp body;
  const int64_t numInputs;
  mlir::gpu::GPUModuleOp kernels;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  BodyKernels result;
  llvm::SmallVector<Piece> pieces;
  /// The piece of each op, nested ones too, that is in one.
  llvm::DenseMap<Operation *, unsigned> pieceOf;
  /// Bytes into the scratch memory: what the body allocates, and numbers that
  /// one piece leaves for others, in the order they were found.
  llvm::DenseMap<Value, int64_t> memory;
  llvm::MapVector<Value, int64_t> spills;

  // The kernel that is emitted.
  mlir::gpu::GPUFuncOp kernel;
  KernelLaunch launch;
  mlir::IRMapping mapping;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_BODYCUTTER_H
