// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a function in progress.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H
#define MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "moe/Dialect/MoE/MoEOps.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Schedule/BufferPlan.h"
#include <map>

namespace moe {

/// Where a value's elements lie: a buffer, or a strided part of one.
struct Place {
  mlir::TypedValue<mlir::MemRefType> memref;
  /// Number of the planned buffer it lies in; none when it is the caller's.
  std::optional<unsigned> buffer;

  mlir::MemRefType getType() const { return memref.getType(); }
  /// Whether the whole place is one buffer in row-major order: what bodies and
  /// other tasks take.
  bool isPlain() const { return getType().getLayout().isIdentity(); }
};

/// A stream of the host function.
struct HostStream {
  mlir::Value value;
  unsigned number;
};

/// The host's function while it is built: what has been put on streams so far,
/// which buffers there are, and who has used them. Objects and buffers stand
/// at the top, launches behind them in the order they are made.
class HostFunction {
public:
  /// Creates the entry function @`name` before `function`, with the types of
  /// `function`'s arguments and results as buffers.
  HostFunction(mlir::func::FuncOp function, mlir::StringRef name);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::func::FuncOp getFunction() { return host; }
  Place getInput(unsigned index);
  Place getOutput(unsigned index);

  /// The job's stream of this name, asked for on first use.
  HostStream getStream(mlir::StringRef name, ResourceKind resource,
                       int64_t priority);
  /// The job's communicator of a group on a stream, asked for on first use.
  mlir::FailureOr<mlir::Value> getCommunicator(mlir::Operation *op,
                                               GroupAttrInterface group,
                                               HostStream stream);
  /// Builds objects, which the function asks for at its top.
  mlir::OpBuilder getTop() { return mlir::OpBuilder(boundary); }
  /// The object that stands for what an op declares, null until it is set.
  mlir::Value &getObject(mlir::Operation *declaration) {
    return objects[declaration];
  }
  /// This rank's place in a group.
  mlir::Value getGroupRank(mlir::Location loc, GroupAttrInterface group);
  mlir::Value getIndex(int64_t value);

  /// A buffer for elements of this shape; its place in memory is found later.
  Place createBuffer(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                     mlir::Type elementType);

  /// Says that the op just made is work on a stream that uses these places.
  void addWork(HostStream stream, llvm::ArrayRef<Place> uses);
  void copy(mlir::Location loc, HostStream stream, Place source, Place target);
  /// What has been put on streams, all of them, so far.
  size_t getNumLaunches() const { return launches.size(); }
  /// Notes what other dialects have noted at `op` at the launches from the
  /// place `first` on, which were made of it.
  void noteAttributes(mlir::Operation *op, size_t first);
  /// Makes an event at the stream's place.
  unsigned record(mlir::Location loc, HostStream stream);
  void wait(mlir::Location loc, HostStream stream, unsigned event);
  /// Lets products that are put on the stream from here on leave SMs free.
  void leaveSms(mlir::Location loc, HostStream stream, int64_t sms);
  /// Lets the host wait for an event.
  void await(mlir::Location loc, unsigned event);
  /// What streams have been told, and what is certain to have ended when.
  schedule::StreamClocks &getClocks() { return clocks; }

  /// Memory of the host, not of streams, for elements of this type.
  Place createHostBuffer(mlir::Location loc, mlir::MemRefType type);

  /// Ends the function: places the buffers.
  schedule::BufferPlan finish();

private:
  void addStep(const schedule::StreamStep &step) {
    steps.push_back(step);
    clocks.add(step);
  }

  mlir::func::FuncOp host;
  mlir::OpBuilder builder;
  /// Stands between the objects at the top and the launches.
  mlir::Operation *boundary;
  unsigned numInputs;
  /// Streams in the order of their first use.
  llvm::MapVector<mlir::StringAttr, HostStream> streams;
  /// By stream, group size and the ranks of all groups.
  std::map<std::vector<int64_t>, mlir::Value> comms;
  llvm::DenseMap<mlir::Attribute, mlir::Value> groupRanks;
  llvm::DenseMap<mlir::Operation *, mlir::Value> objects;
  llvm::DenseMap<int64_t, mlir::Value> indices;
  llvm::SmallVector<mlir::Value> events;
  rt::ArenaOp arena;
  /// The offset of each buffer: a constant to be filled in.
  llvm::SmallVector<mlir::Operation *> offsets;
  std::vector<schedule::PlannedBuffer> buffers;
  std::vector<schedule::StreamStep> steps;
  schedule::StreamClocks clocks;
  /// The ops that put work on streams, in order.
  llvm::SmallVector<mlir::Operation *> launches;
};

/// The memref a value's elements lie in: rank 0 for a scalar. Emits an error
/// and returns null for a type that has no buffer.
mlir::MemRefType getBufferType(mlir::Location loc, mlir::Type type);

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_HOSTFUNCTION_H
