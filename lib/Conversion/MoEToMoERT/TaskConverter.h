// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a task as work on a stream.

#ifndef MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H
#define MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H

#include "HostValuesEval.h"
#include "moe/Conversion/HostConversion.h"

namespace moe {

/// The kernels that ops of the `moe` dialect become, read from the table.
class KernelTable {
public:
  struct Form {
    mlir::RegisteredOperationName name;
    rt::KernelInfo info;
    const rt::KernelSource *source;
  };

  explicit KernelTable(mlir::MLIRContext *context);

  /// Null for an op that becomes no kernel.
  const Form *find(mlir::Operation *op) const {
    auto it = forms.find(op->getName().getStringRef());
    return it == forms.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<Form> forms;
};

/// Turns ops on tensors into work on streams. Values live on from task to
/// task; slices and transposes stay views until something needs the elements
/// in a row.
class TaskConverter : public HostServices {
public:
  TaskConverter(HostFunction &host, HostValuesEval &counts,
                mlir::SymbolTable &symbols, const KernelTable &kernels)
      : host(host), counts(counts), symbols(symbols), kernels(kernels) {}

  /// Whether an op is a branch that the host takes, as something of ours runs
  /// in it; others are part of bodies.
  static bool isHostBranch(mlir::Operation *op);

  /// Says where a value is to be written when its op is met.
  void setTarget(mlir::Value value, Place target) { targets[value] = target; }
  void setPlace(mlir::Value value, Place place) { places[value] = place; }

  /// Says that a value is another one by another name.
  void setAlias(mlir::Value value, mlir::Value other) {
    aliases[value] = other;
  }

  /// Converts ops that follow each other as work on `stream`. `name` is the
  /// task's.
  mlir::LogicalResult convert(llvm::ArrayRef<mlir::Operation *> ops,
                              HostStream stream, mlir::StringRef name);

  /// Where a value lies, as a whole buffer: what other tasks may use. Copies
  /// it on the current stream if need be.
  mlir::FailureOr<Place> getPlain(mlir::Value value);
  /// Writes a value to a place.
  mlir::LogicalResult copyTo(mlir::Value value, Place target,
                             HostStream onStream);

  // For ops of other dialects.
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
  /// Memory of the host with the elements of values that an op launched next at
  /// `at` reads there: computed at once, or made by a stream and waited for.
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
  /// Checks that an upstream op may go into a body.
  LogicalResult verifyBodyOp(mlir::Operation *op);
  /// Where a value lies, perhaps as a strided part of a buffer.
  mlir::FailureOr<Place> getView(mlir::Value value);
  /// Where a value lies, elements in a row.
  mlir::FailureOr<Place> getContiguous(mlir::Value value);
  Place makeContiguous(Place place);
  Place makePlain(Place place);
  /// Where an op's result is to be written.
  mlir::FailureOr<Place> createResult(mlir::Value result);

  // MovementConversion.cpp: views and copies.
  bool isView(mlir::Operation *op);
  LogicalResult convertView(mlir::Operation *op);
  LogicalResult convertDrop(DropOp op);
  LogicalResult convertAssemble(AssembleOp op);
  /// The part of a place that starts at `offset` along a dim.
  Place slice(Place place, unsigned dim, mlir::OpFoldResult offset,
              int64_t size);
  Place permute(Place place, llvm::ArrayRef<int64_t> permutation);

  // KernelConversion.cpp
  LogicalResult convertKernel(mlir::Operation *op,
                              const KernelTable::Form &form);

  // BranchConversion.cpp
  LogicalResult convertBranch(mlir::Operation *op);
  /// Converts one way of a branch; what it yields goes to `results`.
  LogicalResult convertWay(mlir::Region &way, mlir::Block *target,
                           llvm::ArrayRef<Place> results);

  // HostValuesReadback.cpp
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readOnHost(mlir::ValueRange values);
  /// Offsets and sizes that the host computes from counts.
  template <typename PlanOp> void convertPlan(PlanOp op);
  /// Leaves slices, reshapes and joins of what the host computes to the host;
  /// false for other ops.
  bool convertMovedNumbers(mlir::Operation *op);
  /// A value the host knows, in memory of the host, computed at once.
  mlir::FailureOr<mlir::Value> computeOnHost(mlir::Value value);
  /// Copies those of `values`, just made, that the host needs.
  void copyForHost(mlir::ValueRange values);

  // CollectiveConversion.cpp
  LogicalResult convertCollective(CollectiveOpInterface op);
  LogicalResult convertRagged(RaggedAllToAllOp op, mlir::Value comm);
  /// Where rows are received, with those that are kept.
  mlir::FailureOr<Place> createReceived(RaggedAllToAllOp op);

  HostFunction &host;
  HostValuesEval &counts;
  mlir::SymbolTable &symbols;
  const KernelTable &kernels;
  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, Place> targets;
  llvm::DenseMap<mlir::Value, mlir::Value> hostBuffers;
  HostStream stream;
  std::string name;
  mlir::Location loc = host.getFunction().getLoc();
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOETOMOERT_TASKCONVERTER_H
