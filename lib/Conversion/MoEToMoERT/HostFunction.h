// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host function under construction.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Schedule/BufferPlan.h"
#include <map>

namespace moe {

/// The location of a value's elements: a buffer, or a strided part of one.
struct Place {
  mlir::TypedValue<mlir::MemRefType> memref;
  /// Number of the planned buffer; nullopt for a buffer of the caller.
  std::optional<unsigned> buffer;

  mlir::MemRefType getType() const { return memref.getType(); }
  /// Returns true if the place is one whole buffer in row-major order, as
  /// bodies and other tasks require.
  bool isPlain() const { return getType().getLayout().isIdentity(); }
};

/// A stream of the host function.
struct HostStream {
  mlir::Value value;
  unsigned number;
};

/// The host function under construction, with the work on streams so far, the
/// buffers and their uses. Objects and buffers are at the top, followed by
/// launches in the order of their creation.
class HostFunction {
public:
  /// Creates the entry function @`name` before `function`, with buffers for the
  /// arguments and results of `function`.
  HostFunction(mlir::func::FuncOp function, mlir::StringRef name);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::func::FuncOp getFunction() { return host; }
  Place getInput(unsigned index);
  Place getOutput(unsigned index);

  /// Returns the job's stream of this name, which is created on first use.
  HostStream getStream(mlir::StringRef name, ResourceKind resource,
                       int64_t priority);
  /// Returns the job's communicator of a group on a stream, which is created on
  /// first use.
  mlir::FailureOr<mlir::Value> getCommunicator(mlir::Operation *op,
                                               GroupAttrInterface group,
                                               HostStream stream);
  /// Returns a builder for objects at the top of the function.
  mlir::OpBuilder getTop() { return mlir::OpBuilder(boundary); }
  /// Returns the object for a declaration op; null until it is set.
  mlir::Value &getObject(mlir::Operation *declaration) {
    return objects[declaration];
  }
  /// Returns this rank's position in a group.
  mlir::Value getGroupRank(mlir::Location loc, GroupAttrInterface group);
  mlir::Value getIndex(int64_t value);

  /// Creates a buffer for elements of this shape; its offset is planned later.
  Place createBuffer(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                     mlir::Type elementType);

  /// Records that the last op is work on a stream that uses these places.
  void addWork(HostStream stream, llvm::ArrayRef<Place> uses);
  void copy(mlir::Location loc, HostStream stream, Place source, Place target);
  /// Returns the number of launches on all streams so far.
  size_t getNumLaunches() const { return launches.size(); }
  /// Copies the attributes of other dialects on `op` to its launches, which
  /// start at index `first`.
  void noteAttributes(mlir::Operation *op, size_t first);
  /// Records an event on the stream.
  unsigned record(mlir::Location loc, HostStream stream);
  void wait(mlir::Location loc, HostStream stream, unsigned event);
  /// Makes later products on the stream leave SMs free.
  void leaveSms(mlir::Location loc, HostStream stream, int64_t sms);
  /// Makes the host wait for an event.
  void await(mlir::Location loc, unsigned event);
  /// Returns the commands of streams so far, and the work that has certainly
  /// ended.
  schedule::StreamClocks &getClocks() { return clocks; }

  /// Creates memory of the host, not of streams, for elements of this type.
  Place createHostBuffer(mlir::Location loc, mlir::MemRefType type);

  /// Ends the function and plans the buffers.
  schedule::BufferPlan finish();

private:
  void addStep(const schedule::StreamStep &step) {
    steps.push_back(step);
    clocks.add(step);
  }

  mlir::func::FuncOp host;
  mlir::OpBuilder builder;
  /// The op between the objects at the top and the launches.
  mlir::Operation *boundary;
  unsigned numInputs;
  /// Streams in the order of their first use.
  llvm::MapVector<mlir::StringAttr, HostStream> streams;
  /// Indexed by stream, group size and the ranks of all groups.
  std::map<std::vector<int64_t>, mlir::Value> comms;
  llvm::DenseMap<mlir::Attribute, mlir::Value> groupRanks;
  llvm::DenseMap<mlir::Operation *, mlir::Value> objects;
  llvm::DenseMap<int64_t, mlir::Value> indices;
  llvm::SmallVector<mlir::Value> events;
  rt::ArenaOp arena;
  /// The offset constant of each buffer, which `finish` sets.
  llvm::SmallVector<mlir::Operation *> offsets;
  std::vector<schedule::PlannedBuffer> buffers;
  std::vector<schedule::StreamStep> steps;
  schedule::StreamClocks clocks;
  /// The ops that enqueue work on streams, in order.
  llvm::SmallVector<mlir::Operation *> launches;
};

/// Returns the memref for a value's elements; rank 0 for a scalar. Emits an
/// error and returns null for a type without a buffer.
mlir::MemRefType getBufferType(mlir::Location loc, mlir::Type type);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H
