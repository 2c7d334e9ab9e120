// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the table says of a kernel.
//
// The C++ side of the table of kernels, MoERTKernelOps.td and
// MoERTGradientOps.td of dialects/moert.

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
  /// When it is there: always, together with the others of its kind, or where
  /// its name stands before it; then perhaps in memory of the host.
  enum Presence { Always, Together, Named, Host };

  llvm::StringLiteral name;
  /// Names with spaces between them; `*` behind one that stands for several,
  /// `?` behind one that stands for any number.
  llvm::StringLiteral dims;
  /// The member of the struct that holds its element type; may be empty.
  llvm::StringLiteral type;
  Presence presence;
  bool isOutput;

  constexpr bool isNamed() const {
    return presence == Named || presence == Host;
  }
};

/// An op of the `moe` dialect that becomes a kernel.
struct KernelSource {
  llvm::StringLiteral op;
  /// Numbers of its operands in the order of the kernel's inputs, with spaces
  /// between them; empty where that is their own.
  llvm::StringLiteral operands;
};

/// How a member of an argument struct is represented.
enum class KernelMember { Int32, Int64, Float64, Pointer };

constexpr size_t getKernelMemberBytes(KernelMember member) {
  return member == KernelMember::Int32 ? 4 : 8;
}

/// Where a struct of the runtime has a member.
struct KernelPlace {
  size_t offset, bytes;
};

/// An entry of the table.
struct KernelInfo {
  /// Of the runtime's function.
  llvm::StringLiteral symbol;
  llvm::ArrayRef<KernelBuffer> buffers;
  llvm::ArrayRef<KernelSource> sources;
  /// Of the argument struct, `size` before the others.
  llvm::ArrayRef<KernelMember> members;

  /// Bytes of the struct, which C lays out by each member's own alignment.
  size_t getStructBytes() const;
};

/// The buffers of one kernel op by their names, and what they say of its dims.
class KernelBuffers {
public:
  /// Of an op that `verifyKernel` has passed.
  explicit KernelBuffers(KernelOpInterface op);

  /// Null where the op has no such buffer.
  mlir::Value get(llvm::StringRef name) const { return byName.lookup(name); }
  /// The size of a dim, of `rows*` the product; 0 where no buffer has it.
  int64_t getDim(llvm::StringRef name) const;

private:
  friend llvm::LogicalResult verifyKernel(mlir::Operation *op);
  KernelBuffers() = default;
  /// What a name of a dim stands for, and the buffer that said so.
  struct Dim {
    llvm::SmallVector<int64_t> sizes;
    bool isOpen;
    llvm::StringLiteral buffer;
  };

  /// Finds the op's buffers; emits an error and fails when it has more or fewer
  /// than the table says.
  llvm::LogicalResult find(KernelOpInterface op);
  /// Notes the dims of a buffer; emits an error and fails when their number or
  /// what is known already is another.
  llvm::LogicalResult bind(mlir::Operation *op, const KernelBuffer &buffer);

  llvm::StringMap<mlir::Value> byName;
  llvm::StringMap<Dim> dims;
};

/// What the runtime's function is called with, collected member by member.
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
  /// Null is 0.
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

/// Checks an op's buffers against its entry in the table: their number, their
/// ranks, sizes of dims of one name, element types of one name.
llvm::LogicalResult verifyKernel(mlir::Operation *op);

/// Rows of each expert, or of the whole buffer where the op has runs.
int64_t getExpertRows(const KernelArguments &args);

/// `moert_gate_kind` of a gate; cosines are soft, too.
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
