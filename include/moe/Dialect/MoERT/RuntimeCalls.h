// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op calls of the runtime.
//
// The C++ side of MoERTCall.td of dialects/moert.

#ifndef MOE_DIALECT_MOERT_RUNTIMECALLS_H
#define MOE_DIALECT_MOERT_RUNTIMECALLS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include <vector>

namespace moe::rt {

class KernelOpInterface;

/// What a function of the runtime gives back: see the classes of MoERTCall.td.
enum class CallResult { Status, Handle };

/// A function of the runtime as an op calls it.
struct RuntimeFunction {
  llvm::StringLiteral symbol;
  /// A letter for each argument: see `MoERT_Argument`.
  llvm::StringLiteral parameters;
  CallResult result;
};

/// An argument of a call, or a member of a struct that is one.
struct CallArgument {
  enum Kind {
    Int32,
    Int64,
    Float64,
    ElementType,
    MovedType,
    /// A handle, or where a buffer is; null where there is none.
    Pointer,
    Text,
    Numbers,
    Members,
    Counts,
    Body,
    Struct
  };

  Kind kind;
  int64_t number = 0;
  mlir::Value value = {};
  mlir::Type elementType = {};
  /// A float, text, numbers, group or body; 0.0, none and null where it is not
  /// there.
  mlir::Attribute attribute = {};
  /// What a body is called with.
  llvm::SmallVector<mlir::Value> operands = {};
  /// Of the struct behind `size`.
  std::vector<CallArgument> members = {};
  /// `size` of the struct.
  size_t bytes = 0;
};

/// A call with its arguments.
struct RuntimeCall {
  RuntimeFunction function;
  /// The result of the op that it gives; may be null.
  mlir::Value value;
  std::vector<CallArgument> arguments;
};

/// The calls of one op, collected argument by argument.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::MLIRContext *context) : context(context) {}

  llvm::ArrayRef<RuntimeCall> get() const { return calls; }

  /// What is added from here on are arguments of a call of `function`.
  void start(const RuntimeFunction &function, mlir::Value value) {
    calls.push_back({function, value, {}});
  }
  void addInt32(int64_t value) { add({CallArgument::Int32, value}); }
  void addInt64(int64_t value) { add({CallArgument::Int64, value}); }
  void addFloat64(mlir::FloatAttr number) {
    add(CallArgument::Float64, number);
  }
  void addValue(mlir::Value value) { add({CallArgument::Pointer, 0, value}); }
  void addCounts(mlir::Value buffer) { add({CallArgument::Counts, 0, buffer}); }
  void addType(mlir::Value buffer) { add(CallArgument::ElementType, buffer); }
  void addMovedType(mlir::Value buffer) {
    add(CallArgument::MovedType, buffer);
  }
  void addText(mlir::StringAttr text) { add(CallArgument::Text, text); }
  void addMembers(mlir::Attribute group) { add(CallArgument::Members, group); }
  void addNumbers(llvm::ArrayRef<int64_t> numbers);
  /// Of dense elements.
  void addNumbers(mlir::ElementsAttr numbers);
  void addBody(mlir::FlatSymbolRefAttr body, mlir::ValueRange operands);
  void addStruct(KernelOpInterface kernel);

private:
  void add(CallArgument argument) {
    calls.back().arguments.push_back(std::move(argument));
  }
  void add(CallArgument::Kind kind, mlir::Attribute attribute) {
    CallArgument argument{kind};
    argument.attribute = attribute;
    add(std::move(argument));
  }
  void add(CallArgument::Kind kind, mlir::Value buffer);

  mlir::MLIRContext *context;
  std::vector<RuntimeCall> calls;
};

/// Stands for the deadline of the job's configuration.
inline constexpr int64_t kDefaultDeadline = -1;

/// Most dims of a copy that do not merge.
inline constexpr int64_t kMostCopyDims = 8;

/// The box of elements that a copy moves. Dims that follow each other on both
/// sides are one, and those of size 1 are left out.
struct CopyBox {
  llvm::SmallVector<int64_t> sizes, sourceStrides, targetStrides;
  int64_t elementBytes = 0;
  bool isEmpty = false;

  /// Whether elements lie one behind the other on both sides.
  bool isRun() const {
    return !isEmpty &&
           (sizes.empty() || (sizes.size() == 1 && sourceStrides.front() == 1 &&
                              targetStrides.front() == 1));
  }
  bool isStrided() const { return !isEmpty && !isRun(); }
  /// Bytes of a run.
  int64_t getRunBytes() const {
    return (sizes.empty() ? 1 : sizes.front()) * elementBytes;
  }
};

} // namespace moe::rt

#endif // MOE_DIALECT_MOERT_RUNTIMECALLS_H
