// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime calls of ops.
//
// The C++ side of MoERTCall.td of dialects/moert.

#ifndef MOE_DIALECT_MOERT_RUNTIMECALLS_H
#define MOE_DIALECT_MOERT_RUNTIMECALLS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include <vector>

namespace moe::rt {

class KernelOpInterface;

/// The return value of a runtime function: see the classes of MoERTCall.td.
enum class CallResult { Status, Handle };

/// A function of the runtime that ops call.
struct RuntimeFunction {
  llvm::StringLiteral symbol;
  /// One letter per argument: see `MoERT_Argument`.
  llvm::StringLiteral parameters;
  CallResult result;
};

/// An argument of runtime calls, or a member of a struct argument.
struct CallArgument {
  enum Kind {
    Int32,
    Int64,
    Float64,
    ElementType,
    MovedType,
    /// A handle, or the address of a buffer; null if absent.
    Pointer,
    Text,
    Numbers,
    Members,
    Groups,
    Counts,
    Body,
    Struct
  };

  Kind kind;
  int64_t number = 0;
  mlir::Value value = {};
  mlir::Type elementType = {};
  /// A float, text, numbers, group or body. An absent one is 0.0, no elements
  /// or null.
  mlir::Attribute attribute = {};
  /// Operands of a body.
  llvm::SmallVector<mlir::Value> operands = {};
  /// Members of the struct after `size`.
  std::vector<CallArgument> members = {};
  /// The `size` of the struct in bytes.
  size_t bytes = 0;
};

/// A call with its arguments.
struct RuntimeCall {
  RuntimeFunction function;
  /// The op result that the call returns; may be null.
  mlir::Value value;
  std::vector<CallArgument> arguments;
};

/// The calls of one op, collected argument by argument.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::MLIRContext *context) : context(context) {}

  llvm::ArrayRef<RuntimeCall> get() const { return calls; }

  /// Starts a call of `function`. Later arguments belong to it.
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
  void addGroups(mlir::Attribute group) { add(CallArgument::Groups, group); }
  void addNumbers(llvm::ArrayRef<int64_t> numbers);
  /// Adds the numbers of dense elements.
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

/// Selects the deadline from the job's configuration.
inline constexpr int64_t kDefaultDeadline = -1;

/// Maximum number of dims of a copy after merging.
inline constexpr int64_t kMostCopyDims = 8;

/// The box of elements that a copy moves. Dims that are contiguous on both
/// sides are merged, and dims of size 1 are removed.
struct CopyBox {
  llvm::SmallVector<int64_t> sizes, sourceStrides, targetStrides;
  int64_t elementBytes = 0;
  bool isEmpty = false;

  /// Returns true if the elements are contiguous on both sides.
  bool isRun() const {
    return !isEmpty &&
           (sizes.empty() || (sizes.size() == 1 && sourceStrides.front() == 1 &&
                              targetStrides.front() == 1));
  }
  bool isStrided() const { return !isEmpty && !isRun(); }
  int64_t getRunBytes() const {
    return (sizes.empty() ? 1 : sizes.front()) * elementBytes;
  }
};

} // namespace moe::rt

#endif // MOE_DIALECT_MOERT_RUNTIMECALLS_H
