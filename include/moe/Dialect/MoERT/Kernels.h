// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ side of the table of kernels.
//
// The table is in MoERTKernelOps.td and MoERTGradientOps.td of dialects/moert.

#ifndef MOE_DIALECT_MOERT_KERNELS_H
#define MOE_DIALECT_MOERT_KERNELS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Dialect/MoERT/RuntimeCalls.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <cstddef>

namespace moe::rt {

class KernelOpInterface;

/// A buffer that a kernel reads or writes: see `MoERT_KernelBuffer`.
struct KernelBuffer {
  /// Condition for the buffer to be present: always; together with the other
  /// buffers of its kind; or if its name is printed before it. A `Host` buffer
  /// is a named one that may be in host memory. An `Added` or `AddedHost`
  /// buffer is a named one that is no operand of the op of the `moe` dialect.
  enum Presence { Always, Together, Named, Host, Added, AddedHost };

  llvm::StringLiteral name;
  /// Names of dims, separated by spaces. A suffix `*` marks a name for several
  /// dims, and `?` a name for any number of dims.
  llvm::StringLiteral dims;
  /// The struct member that holds the element type; may be empty.
  llvm::StringLiteral type;
  Presence presence;
  bool isOutput;

  constexpr bool isNamed() const {
    return presence != Always && presence != Together;
  }
  constexpr bool isOnHost() const {
    return presence == Host || presence == AddedHost;
  }
  constexpr bool isAdded() const {
    return presence == Added || presence == AddedHost;
  }
};

/// An op of the `moe` dialect that becomes a kernel.
struct KernelSource {
  llvm::StringLiteral op;
  /// Operand numbers of the op in the order of the kernel's inputs, separated
  /// by spaces; empty if the orders are equal.
  llvm::StringLiteral operands;
};

/// The representation of a member of an argument struct.
enum class KernelMember { Int32, Int64, Float64, Pointer };

constexpr size_t getKernelMemberBytes(KernelMember member) {
  return member == KernelMember::Int32 ? 4 : 8;
}

/// Position of a member in a struct of the runtime.
struct KernelPlace {
  size_t offset, bytes;
};

/// An entry of the table.
struct KernelInfo {
  /// Name of the runtime's function.
  llvm::StringLiteral symbol;
  llvm::ArrayRef<KernelBuffer> buffers;
  llvm::ArrayRef<KernelSource> sources;
  /// Members of the argument struct; `size` precedes them.
  llvm::ArrayRef<KernelMember> members;

  /// Returns the bytes of the struct, which C lays out by each member's own
  /// alignment.
  size_t getStructBytes() const;
};

/// The named buffers of one kernel op, and the sizes of its dims.
class KernelBuffers {
public:
  /// `op` must have passed `verifyKernel`.
  explicit KernelBuffers(KernelOpInterface op);

  /// Returns null if the op has no such buffer.
  mlir::Value get(llvm::StringRef name) const { return byName.lookup(name); }
  /// Returns the size of a dim, or the product for a name like `rows*`; 0 if no
  /// buffer has it.
  int64_t getDim(llvm::StringRef name) const;

private:
  friend llvm::LogicalResult verifyKernel(mlir::Operation *op);
  KernelBuffers() = default;
  /// The sizes of a named dim, and the buffer that defined them.
  struct Dim {
    llvm::SmallVector<int64_t> sizes;
    bool isOpen;
    llvm::StringLiteral buffer;
  };

  /// Finds the op's buffers. Emits an error and fails if their number differs
  /// from the table.
  llvm::LogicalResult find(KernelOpInterface op);
  /// Records the dims of a buffer. Emits an error and fails if their number or
  /// the known sizes differ.
  llvm::LogicalResult bind(mlir::Operation *op, const KernelBuffer &buffer);

  llvm::StringMap<mlir::Value> byName;
  llvm::StringMap<Dim> dims;
};

/// The argument struct of a runtime function, collected member by member.
class KernelArguments {
public:
  explicit KernelArguments(KernelOpInterface op);

  int64_t getDim(llvm::StringRef name) const { return buffers.getDim(name); }
  bool has(llvm::StringRef buffer) const {
    return buffers.get(buffer) != nullptr;
  }
  void addInt32(int64_t value) {
    arguments.push_back({CallArgument::Int32, value});
  }
  void addInt64(int64_t value) {
    arguments.push_back({CallArgument::Int64, value});
  }
  /// Adds 0 for null.
  void addFloat64(mlir::FloatAttr value);
  void addPointer(llvm::StringRef buffer);
  void addCounts(llvm::StringRef buffer);
  void addType(llvm::StringRef member) {
    addType(member, CallArgument::ElementType);
  }
  void addMovedType(llvm::StringRef member) {
    addType(member, CallArgument::MovedType);
  }

  std::vector<CallArgument> take() { return std::move(arguments); }

private:
  void addType(llvm::StringRef member, CallArgument::Kind kind);

  KernelBuffers buffers;
  llvm::ArrayRef<KernelBuffer> table;
  std::vector<CallArgument> arguments;
};

/// Verifies an op's buffers against its entry in the table: their number,
/// ranks, equal sizes of dims with one name, and equal element types with one
/// name.
llvm::LogicalResult verifyKernel(mlir::Operation *op);

/// Returns the rows of each expert, or of the whole buffer if the op has runs.
int64_t getExpertRows(const KernelArguments &args);

/// Returns true if the gradients of weights have another element type than the
/// weights.
bool hasWideGradients(mlir::Operation *wgrad);

/// Returns the `moert_gate_kind` of a gate. Cosine gates use the softmax kind,
/// too.
constexpr int64_t getRuntimeKind(GateKind kind) {
  switch (kind) {
  case GateKind::Sigmoid:
    return 1;
  case GateKind::GShard:
    return 2;
  case GateKind::SqrtSoftplus:
    return 3;
  default:
    return 0;
  }
}

} // namespace moe::rt

#include "moe/Dialect/MoERT/MoERTInterfaces.h.inc"

#endif // MOE_DIALECT_MOERT_KERNELS_H
