// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry functions as calls.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H

#include "CallEmitter.h"
#include "Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe {

/// Emits one entry function @NAME op by op, as the functions of a program that
/// runtime/include/moert.h tells of. Handles and buffers become pointers, a
/// buffer's to its first element; numbers become i64.
class HostEmitter : private CallEmitter {
public:
  /// Launched bodies are those of `device`, or functions where it is null.
  HostEmitter(mlir::func::FuncOp host, mlir::SymbolTable &symbols,
              const DeviceCode *device)
      : CallEmitter(host, symbols), device(device) {}

  /// Creates `moe_NAME`, `moe_NAME_enqueue`, `moe_NAME_prepare` and
  /// `moe_NAME_workspace_bytes` before the entry function. Emits an error and
  /// fails for an op that an entry function cannot hold.
  mlir::LogicalResult run();

private:
  using LogicalResult = mlir::LogicalResult;

  // HostEmitter.cpp: the functions, numbers, addresses.
  LogicalResult emitEnqueue();
  LogicalResult emitPrepare();
  /// The functions that need nothing of the entry function's body.
  void emitRun();
  /// Gives each arena a place in the workspace, and each buffer that a stream
  /// writes one in the host's memory.
  void planMemory();
  /// Says what program a function belongs to.
  void markPart(mlir::ArrayAttr passthrough);
  /// The next event of the context.
  Value makeEvent();
  /// Ranks that the mesh or the groups of the function bind it to; 0 when
  /// neither is there.
  int64_t countRanks();
  LogicalResult emit(mlir::Operation *op);
  /// Emits all but the terminator of a block.
  LogicalResult emitBlock(mlir::Block &block);
  LogicalResult emitBranch(mlir::Operation *op);
  LogicalResult emitRead(mlir::memref::LoadOp op);
  LogicalResult emitAddress(mlir::Operation *op);
  LogicalResult emitNumber(mlir::Operation *op);
  LogicalResult emitSubView(mlir::Operation *op);

  // EmitCalls.cpp: what ops call.
  /// The calls that the op's entry in the table says.
  LogicalResult emitCalls(rt::RuntimeCallOpInterface op);
  LogicalResult emitCall(mlir::Operation *op, const rt::RuntimeCall &call);
  LogicalResult emitObject(mlir::Operation *op);
  LogicalResult emitHostCall(rt::CallOp op);

  // EmitLaunches.cpp: bodies as kernels of a device.
  /// Gives the scratch memory that launches need a place in the workspace, for
  /// each stream its own.
  void planScratch();
  LogicalResult emitLaunches(rt::LaunchFuncOp op);
  void emitLaunch(const KernelLaunch &launch, rt::LaunchFuncOp op);

  // EmitArguments.cpp: what calls are given.
  /// Appends what an argument is for C. Emits an error and fails for an element
  /// type that is not computed with, a group that cannot be listed and a body
  /// that has not been lowered.
  LogicalResult emitArgument(mlir::Operation *op,
                             const rt::CallArgument &argument,
                             llvm::SmallVectorImpl<Value> &args);
  /// `moert_type` of an element type that is computed with; emits an error.
  mlir::FailureOr<Value> getType(mlir::Operation *op, mlir::Type elementType);
  /// `moert_type` for moving elements, whatever they mean.
  Value getMovedType(mlir::Type elementType);
  Value getRank();
  /// The ranks of this rank's group; emits an error.
  mlir::FailureOr<Value> getMembers(mlir::Operation *op,
                                    GroupAttrInterface group);
  LogicalResult emitGroupRank(rt::GroupRankOp op);
  /// The integers of a buffer as an array of i64.
  Value getCounts(Value counts);
  /// Appends a buffer as upstream passes it: its pointer twice, an offset, its
  /// sizes and its strides.
  void appendBuffer(mlir::MemRefType type, Value pointer,
                    llvm::SmallVectorImpl<Value> &args);
  /// Appends the function a stream calls and what that is given.
  LogicalResult emitBody(mlir::Operation *op, mlir::FlatSymbolRefAttr symbol,
                         mlir::ValueRange operands,
                         llvm::SmallVectorImpl<Value> &args);
  /// The function a stream calls, which unpacks what `emitBody` packs.
  mlir::LLVM::LLVMFuncOp getTrampoline(mlir::LLVM::LLVMFuncOp body,
                                       mlir::ValueRange operands);

  Value get(Value value) const { return values.lookup(value); }

  // ProgramDescription.cpp: what the program says of itself.
  /// Fills in `moert_program`.
  void describe();
  /// Its address.
  Value getProgram();

  /// `moe_NAME`.
  std::string name;
  llvm::DenseMap<Value, Value> values;
  /// Of arenas and of host buffers that streams write, in bytes.
  llvm::DenseMap<mlir::Operation *, int64_t> offsets;
  int64_t workspaceBytes = 0, hostBytes = 0;
  int64_t numInputs = 0, numEvents = 0, hostWaits = 0;
  /// What the host does in each run beside launching work.
  std::string hostPart;
  mlir::LLVM::GlobalOp program;
  Value context, rank, workspace, hostMemory;
  /// The caller's, where its run begins, and the program's own.
  Value callerStream, begun;
  llvm::SmallVector<Value> streams;
  const DeviceCode *device;
  /// Of streams: where memory of bodies lies in the workspace.
  llvm::DenseMap<Value, int64_t> scratchOffsets;
  /// While the ways of a branch are emitted, the block in front of it.
  mlir::Block *outside = nullptr;
  /// Of the job, 0: any number.
  int64_t numRanks = 0;
  /// Arrays of counts that the call under way takes, and has by now.
  int64_t numCounts = 0, numCountsMade = 0;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H
