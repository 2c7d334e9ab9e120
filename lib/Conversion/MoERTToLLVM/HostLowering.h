//===- HostLowering.h - Entry functions as calls of the C interface -*- C++
//-*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTLOWERING_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTLOWERING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe {

/// Lowers one entry function op by op. Handles and buffers become pointers, a
/// buffer's to its first element; numbers become i64. After each call that
/// reports a status comes a branch out of the function.
class HostLowering {
public:
  HostLowering(mlir::func::FuncOp host, mlir::SymbolTable &symbols);

  /// Creates `moe_NAME` before the entry function. Emits an error and fails
  /// for an op that an entry function cannot hold.
  mlir::LogicalResult run();

private:
  using LogicalResult = mlir::LogicalResult;
  using Value = mlir::Value;

  // HostLowering.cpp: objects, order, addresses.
  /// Leaves the function, with an error in words, when the job has another
  /// number of ranks or the caller left out a pointer.
  void checkCall(int64_t numInputs, Value inputs, Value results);
  /// Ranks that the mesh or the groups of the function bind it to; 0 when
  /// neither is there.
  int64_t countRanks();
  LogicalResult lower(mlir::Operation *op);
  LogicalResult lowerAddress(mlir::Operation *op);
  LogicalResult lowerObject(mlir::Operation *op);
  LogicalResult lowerOrder(mlir::Operation *op);
  LogicalResult lowerNumber(mlir::Operation *op);
  LogicalResult lowerSubView(mlir::Operation *op);
  LogicalResult lowerCommunicator(rt::CommunicatorOp op);
  LogicalResult lowerGroupRank(rt::GroupRankOp op);
  Value getRank();

  // OcsLowering.cpp: optical switches.
  LogicalResult lowerOcs(mlir::Operation *op);

  // WorkLowering.cpp: what is put on streams.
  LogicalResult lowerWork(mlir::Operation *op);
  LogicalResult lowerCopy(rt::CopyOp op);
  LogicalResult lowerLaunch(rt::LaunchFuncOp op);
  LogicalResult lowerCall(rt::CallOp op);
  /// Appends a buffer as upstream passes it: its pointer twice, an offset, its
  /// sizes and its strides.
  void appendBuffer(mlir::MemRefType type, Value pointer,
                    llvm::SmallVectorImpl<Value> &args);
  LogicalResult lowerGate(rt::GateOp op);
  LogicalResult lowerOrderKernel(rt::OrderOp op);
  LogicalResult lowerExperts(rt::ExpertsOp op);
  LogicalResult lowerUnorder(rt::UnorderOp op);
  LogicalResult lowerRagged(rt::RaggedAllToAllOp op);
  LogicalResult lowerCollective(mlir::Operation *op);
  /// The function a stream calls, which unpacks what `lowerLaunch` packs.
  mlir::LLVM::LLVMFuncOp getTrampoline(rt::LaunchFuncOp op);

  // TrainingLowering.cpp: gradients, dense parts, and gates that mix.
  bool isTraining(mlir::Operation *op);
  LogicalResult lowerTraining(mlir::Operation *op);
  template <typename OpT>
  LogicalResult lowerExpertsGrad(OpT op, mlir::StringRef name);
  /// Calls a kernel with a struct of these members and, behind them, the types
  /// of the buffers.
  LogicalResult callKernel(mlir::Operation *op, mlir::StringRef name,
                           llvm::SmallVector<Value> members,
                           mlir::ValueRange typedBuffers);

  // Building blocks.
  Value i32(int64_t value);
  Value i64(int64_t value);
  Value null();
  Value get(Value value) const { return values.lookup(value); }
  /// Calls a function of the C interface; its declaration is made as needed.
  Value callPlain(mlir::StringRef name, mlir::Type result,
                  llvm::ArrayRef<Value> args);
  /// One that reports a status: leaves the function when it is not OK.
  void call(mlir::StringRef name, llvm::ArrayRef<Value> args);
  /// One whose last argument is where it writes a handle.
  Value create(mlir::StringRef name, llvm::ArrayRef<Value> args);
  Value advance(Value pointer, Value bytes);
  Value load(mlir::Type type, Value pointer, int64_t index);
  void store(Value value, Value pointer, int64_t index);
  /// Memory of the function for a call's description.
  Value getScratch(mlir::Type type, int64_t count);
  /// Pointer to a constant array or zero-terminated text.
  Value getConstant(mlir::DenseIntElementsAttr elements);
  Value getConstant(llvm::ArrayRef<int64_t> elements);
  Value getText(mlir::StringRef text);
  /// A struct with these members, in memory.
  Value getStruct(llvm::ArrayRef<Value> members);
  /// `moert_type` of an element type that is computed with; emits an error.
  mlir::FailureOr<Value> getType(mlir::Operation *op, mlir::Type elementType);
  /// `moert_type` for moving elements, whatever they mean.
  Value getMovedType(mlir::Type elementType);

  mlir::func::FuncOp host;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::LLVM::LLVMFuncOp function;
  /// Returns the status it is given.
  mlir::Block *failure = nullptr;
  mlir::Type pointerType, i32Type, i64Type;
  llvm::DenseMap<Value, Value> values;
  /// The handles of arenas, whose values are their memory.
  llvm::DenseMap<Value, Value> arenas;
  /// Handles of the host's memory that streams write.
  llvm::SmallVector<Value> hostBuffers;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, Value> scratch;
  llvm::StringMap<Value> texts;
  Value context, rank;
  /// Of the job, 0: any number.
  int64_t numRanks = 0;
  /// The arguments of all launches.
  Value packs, packMemory;
  int64_t numPacked = 0;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTLOWERING_H
