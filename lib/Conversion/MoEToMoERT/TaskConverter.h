// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of a task's ops to work on a stream.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H
#define MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H

#include "HostValuesEval.h"
#include "moe/Conversion/HostConversion.h"

namespace moe {

/// The kernels for ops of the `moe` dialect, read from the table.
class KernelTable {
public:
  struct Form {
    mlir::RegisteredOperationName name;
    rt::KernelInfo info;
    const rt::KernelSource *source;
  };

  explicit KernelTable(mlir::MLIRContext *context);

  /// Returns null for an op without a kernel.
  const Form *find(mlir::Operation *op) const {
    auto it = forms.find(op->getName().getStringRef());
    return it == forms.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<Form> forms;
};

/// Converts ops on tensors to work on streams. Values persist from task to
/// task; slices and transposes stay views until an op needs contiguous
/// elements.
class TaskConverter : public HostServices {
public:
  TaskConverter(HostFunction &host, HostValuesEval &counts,
                mlir::SymbolTable &symbols, const KernelTable &kernels)
      : host(host), counts(counts), symbols(symbols), kernels(kernels) {}

  /// Returns true if the host executes a branch, because it contains ops of
  /// this project; other branches are part of bodies.
  static bool isHostBranch(mlir::Operation *op);

  /// Sets the place that a value's op must write to.
  void setTarget(mlir::Value value, Place target) { targets[value] = target; }
  void setPlace(mlir::Value value, Place place) { places[value] = place; }

  /// Declares a value to be another name of `other`.
  void setAlias(mlir::Value value, mlir::Value other) {
    aliases[value] = other;
  }

  /// Converts consecutive ops to work on `stream`. `name` is the task's name.
  mlir::LogicalResult convert(llvm::ArrayRef<mlir::Operation *> ops,
                              HostStream stream, mlir::StringRef name);

  /// Returns a value as a whole buffer, which other tasks can use. Copies it on
  /// the current stream if necessary.
  mlir::FailureOr<Place> getPlain(mlir::Value value);
  /// Copies a value to a place.
  mlir::LogicalResult copyTo(mlir::Value value, Place target,
                             HostStream onStream);

  // HostServices
  mlir::OpBuilder &getBuilder() override { return host.getBuilder(); }
  mlir::OpBuilder getTop() override { return host.getTop(); }
  mlir::func::FuncOp getFunction() override { return host.getFunction(); }
  mlir::SymbolTable &getSymbols() override { return symbols; }
  mlir::Value getIndex(int64_t value) override { return host.getIndex(value); }
  mlir::Value getGroupRank(mlir::Location at,
                           GroupAttrInterface group) override {
    return host.getGroupRank(at, group);
  }
  mlir::Value &getObject(mlir::Operation *declaration) override {
    return host.getObject(declaration);
  }
  mlir::Value createHostBuffer(mlir::Location at, mlir::Type type) override;
  /// Returns host memory with the elements of values for the next op, which is
  /// at `at`. The host computes them, or waits for a stream that does.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readOnHost(mlir::Location at, mlir::ValueRange values) override {
    loc = at;
    return readOnHost(values);
  }
  void define(mlir::ValueRange results, mlir::ValueRange operands,
              Maker make) override {
    counts.define(results, operands, std::move(make));
  }

private:
  using LogicalResult = mlir::LogicalResult;

  // TaskConverter.cpp
  LogicalResult convertOp(mlir::Operation *op);
  LogicalResult convertBody(llvm::ArrayRef<mlir::Operation *> ops,
                            llvm::ArrayRef<mlir::Value> outputs);
  mlir::Value resolve(mlir::Value value) const;
  /// Verifies that an upstream op is supported in a body.
  LogicalResult verifyBodyOp(mlir::Operation *op);
  /// Returns the place of a value, which may be a strided part of a buffer.
  mlir::FailureOr<Place> getView(mlir::Value value);
  /// Returns the place of a value with contiguous elements.
  mlir::FailureOr<Place> getContiguous(mlir::Value value);
  Place makeContiguous(Place place);
  Place makePlain(Place place);
  /// Returns the place for an op's result.
  mlir::FailureOr<Place> createResult(mlir::Value result);

  // MovementConversion.cpp: views and copies.
  bool isView(mlir::Operation *op);
  LogicalResult convertView(mlir::Operation *op);
  LogicalResult convertDrop(DropOp op);
  LogicalResult convertAssemble(AssembleOp op);
  /// Returns the part of a place that starts at `offset` along a dim.
  Place slice(Place place, unsigned dim, mlir::OpFoldResult offset,
              int64_t size);
  Place permute(Place place, llvm::ArrayRef<int64_t> permutation);

  // KernelConversion.cpp
  LogicalResult convertKernel(mlir::Operation *op,
                              const KernelTable::Form &form);

  // BranchConversion.cpp
  LogicalResult convertBranch(mlir::Operation *op);
  /// Converts one region of a branch and writes its yielded values to
  /// `results`.
  LogicalResult convertWay(mlir::Region &way, mlir::Block *target,
                           llvm::ArrayRef<Place> results);

  // HostValuesReadback.cpp
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readOnHost(mlir::ValueRange values);
  /// Converts an op with offsets and sizes that the host computes from counts.
  template <typename PlanOp> void convertPlan(PlanOp op);
  /// Creates the memory of `knownCounts` for a plan, and marks the counts as
  /// unknown at this place of each run.
  void createKnownCounts(RaggedPlanOp op);
  /// Defers slices, reshapes and joins of host-computed values to the host;
  /// returns false for other ops.
  bool convertMovedNumbers(mlir::Operation *op);
  /// Computes a value that the host knows, in host memory.
  mlir::FailureOr<mlir::Value> computeOnHost(mlir::Value value);
  /// Copies those new `values` that the host needs.
  void copyForHost(mlir::ValueRange values);

  // Collectives
  LogicalResult convertCollective(CollectiveOpInterface op);
  LogicalResult convertRagged(RaggedAllToAllOp op, mlir::Value comm);
  /// Returns the place for received rows, initialized with the rows that are
  /// kept.
  mlir::FailureOr<Place> createReceived(RaggedAllToAllOp op);

  HostFunction &host;
  HostValuesEval &counts;
  mlir::SymbolTable &symbols;
  const KernelTable &kernels;
  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, Place> targets;
  llvm::DenseMap<mlir::Value, mlir::Value> hostBuffers;
  /// Host memory for the counts of plans that experts read on the device.
  llvm::DenseMap<mlir::Operation *, mlir::Value> knownCounts;
  HostStream stream;
  std::string name;
  mlir::Location loc = host.getFunction().getLoc();
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H
