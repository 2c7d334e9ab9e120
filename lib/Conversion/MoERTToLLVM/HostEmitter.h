// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry functions as runtime calls.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H

#include "CallEmitter.h"
#include "Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"

namespace moe {

/// Emits one entry function @NAME op by op as the functions of a program in
/// runtime/include/moert.h. Handles and buffers become pointers, in the case of
/// buffers to the first element; numbers become i64.
class HostEmitter : private CallEmitter {
public:
  /// Launches the kernels of `device`, or functions if it is null.
  HostEmitter(mlir::func::FuncOp host, mlir::SymbolTable &symbols,
              const DeviceCode *device)
      : CallEmitter(host, symbols), device(device) {}

  /// Creates `moe_NAME`, `moe_NAME_enqueue`, `moe_NAME_prepare` and
  /// `moe_NAME_workspace_bytes` before the entry function. Emits an error and
  /// fails for an op that is not supported in entry functions.
  mlir::LogicalResult run();

private:
  using LogicalResult = mlir::LogicalResult;

  // HostEmitter.cpp: functions, numbers and addresses.
  LogicalResult emitEnqueue();
  LogicalResult emitPrepare();
  /// Emits the functions that do not depend on the entry function's body.
  void emitRun();
  /// Assigns workspace offsets to arenas, and host memory offsets to the
  /// buffers that streams write.
  void planMemory();
  /// Marks the current function as a part of this program.
  void markPart(mlir::ArrayAttr passthrough);
  /// Returns the next event of the context.
  Value makeEvent();
  /// Returns the number of ranks that the function's mesh or groups require; 0
  /// if it has neither.
  int64_t countRanks();
  LogicalResult emit(mlir::Operation *op);
  /// Emits all ops of a block except the terminator.
  LogicalResult emitBlock(mlir::Block &block);
  LogicalResult emitBranch(mlir::Operation *op);
  LogicalResult emitRead(mlir::memref::LoadOp op);
  LogicalResult emitAddress(mlir::Operation *op);
  LogicalResult emitNumber(mlir::Operation *op);
  LogicalResult emitSubView(mlir::Operation *op);

  // EmitCalls.cpp: runtime calls of ops.
  /// Emits the calls of the op's entry in the table.
  LogicalResult emitCalls(rt::RuntimeCallOpInterface op);
  LogicalResult emitCall(mlir::Operation *op, const rt::RuntimeCall &call);
  LogicalResult emitObject(mlir::Operation *op);
  LogicalResult emitHostCall(rt::CallOp op);

  // KernelScratch.cpp: scratch memory of device kernels.
  /// Assigns workspace offsets to the scratch memory of kernels, both the
  /// program's and the runtime's, separately for each stream.
  void planScratch();
  /// Passes the scratch memory for a stream's kernels to the runtime, or
  /// withdraws it.
  void emitScratch(mlir::Value stream, bool isThere);
  /// Makes a run that fails withdraw the scratch memory, too, because the
  /// caller may free the workspace and use the streams again.
  void withdrawScratchOnFailure();

  // EmitLaunches.cpp: bodies as device kernels.
  LogicalResult emitLaunches(rt::LaunchFuncOp op);
  void emitLaunch(const KernelLaunch &launch, rt::LaunchFuncOp op);

  // Arguments of calls
  /// Appends the C values of an argument. Emits an error and fails for an
  /// element type without arithmetic, a group that cannot be listed, or a body
  /// that has not been lowered.
  LogicalResult emitArgument(mlir::Operation *op,
                             const rt::CallArgument &argument,
                             llvm::SmallVectorImpl<Value> &args);
  /// Returns the `moert_type` of an element type, or nullopt.
  static std::optional<int32_t> findType(mlir::Type type);
  /// Returns the `moert_type` of an element type with arithmetic; emits an
  /// error and fails otherwise.
  mlir::FailureOr<Value> getType(mlir::Operation *op, mlir::Type elementType);
  /// Returns a `moert_type` for moving elements without arithmetic.
  Value getMovedType(mlir::Type elementType);
  Value getRank();
  /// Returns the ranks of this rank's group; may emit an error and fail.
  mlir::FailureOr<Value> getMembers(mlir::Operation *op,
                                    GroupAttrInterface group);
  /// Returns the ranks of all groups, group after group; may emit an error and
  /// fail.
  mlir::FailureOr<Value> getGroups(mlir::Operation *op,
                                   GroupAttrInterface group);
  LogicalResult emitGroupRank(rt::GroupRankOp op);
  /// Returns the integers of a buffer as an array of i64.
  Value getCounts(Value counts);
  /// Appends a buffer in upstream's calling convention: its pointer twice, an
  /// offset, its sizes and its strides.
  void appendBuffer(mlir::MemRefType type, Value pointer,
                    llvm::SmallVectorImpl<Value> &args);
  /// Appends the function that a stream calls, and its arguments.
  LogicalResult emitBody(mlir::Operation *op, mlir::FlatSymbolRefAttr symbol,
                         mlir::ValueRange operands,
                         llvm::SmallVectorImpl<Value> &args);
  /// Returns the function that a stream calls, which unpacks the arguments from
  /// `emitBody`.
  mlir::LLVM::LLVMFuncOp getTrampoline(mlir::LLVM::LLVMFuncOp body,
                                       mlir::ValueRange operands);

  Value get(Value value) const { return values.lookup(value); }

  // ProgramDescription.cpp: the program's description.
  /// Sets the members of `moert_program`.
  void describe();
  /// Returns the address of `moert_program`.
  Value getProgram();

  /// `moe_NAME`.
  std::string name;
  llvm::DenseMap<Value, Value> values;
  /// Offsets of arenas and of host buffers that streams write, in bytes.
  llvm::DenseMap<mlir::Operation *, int64_t> offsets;
  int64_t workspaceBytes = 0, hostBytes = 0;
  int64_t numInputs = 0, numEvents = 0, hostWaits = 0;
  /// Description of the host's work in each run besides launching.
  std::string hostPart;
  mlir::LLVM::GlobalOp program;
  Value context, rank, workspace, hostMemory;
  /// The caller's stream, the event at its start, and the program's own
  /// streams.
  Value callerStream, begun;
  llvm::SmallVector<Value> streams;
  const DeviceCode *device;
  /// Per stream: the offset of its scratch memory in the workspace, and the
  /// bytes that kernels of the runtime use.
  struct StreamScratch {
    int64_t offset = 0, kernelBytes = 0;
  };
  llvm::MapVector<Value, StreamScratch> streamScratch;
  /// Memory of the function that holds a stream while it has scratch memory, or
  /// null.
  llvm::SmallVector<Value> streamsWithScratch;
  /// The block before the branch that is being emitted.
  mlir::Block *outside = nullptr;
  /// Number of ranks of the job; 0 for any number.
  int64_t numRanks = 0;
  /// Total number of count arrays of the current call, and the number emitted
  /// so far.
  int64_t numCounts = 0, numCountsMade = 0;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_HOSTEMITTER_H
