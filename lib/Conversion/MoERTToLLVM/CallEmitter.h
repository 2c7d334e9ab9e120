// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime's C interface.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace moe {

/// Emits calls of the runtime's C interface and their arguments into a
/// function. After each call that returns a status, emits a branch out of the
/// function on failure.
class CallEmitter {
protected:
  using Value = mlir::Value;

  /// Emits the function that replaces `host`.
  CallEmitter(mlir::func::FuncOp host, mlir::SymbolTable &symbols);

  /// Creates an externally visible function that returns a status or a number,
  /// and sets the insertion point to its start. Returns its first block.
  mlir::Block *begin(mlir::StringRef name, mlir::Type result,
                     llvm::ArrayRef<mlir::Type> arguments);

  Value i32(int64_t value);
  Value i64(int64_t value);
  Value null();
  /// Returns a function of the C interface; declares it if necessary.
  mlir::LLVM::LLVMFuncOp getCallee(mlir::StringRef name, mlir::Type result,
                                   mlir::TypeRange types);
  Value callPlain(mlir::StringRef name, mlir::Type result,
                  llvm::ArrayRef<Value> args);
  /// Calls a function that returns a status; leaves the caller if it is not OK.
  void call(mlir::StringRef name, llvm::ArrayRef<Value> args);
  /// Calls a function that writes a new handle to its last argument; returns
  /// the handle.
  Value create(mlir::StringRef name, llvm::ArrayRef<Value> args);
  /// Emits a check that the library of a function that returns a status is
  /// present.
  void need(mlir::StringRef name, mlir::TypeRange types, Value context);
  Value advance(Value pointer, Value bytes);
  Value load(mlir::Type type, Value pointer, int64_t index);
  void store(Value value, Value pointer, int64_t index);
  /// Returns memory of the function for the description of a call's arguments.
  Value getScratch(mlir::Type type, int64_t count);
  /// Return a constant array or zero-terminated text of the module.
  mlir::LLVM::GlobalOp getGlobal(mlir::DenseIntElementsAttr elements);
  mlir::LLVM::GlobalOp getTextGlobal(mlir::StringRef text);
  /// Return a pointer to a constant.
  Value getConstant(mlir::DenseIntElementsAttr elements);
  Value getConstant(llvm::ArrayRef<int64_t> elements);
  Value getText(mlir::StringRef text);
  /// Returns memory with a struct of these members.
  Value getStruct(llvm::ArrayRef<Value> members);

  mlir::func::FuncOp host;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// Attributes of other dialects on the current op; its calls receive them,
  /// too.
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  mlir::LLVM::LLVMFuncOp function;
  /// Block that returns the status it receives.
  mlir::Block *failure = nullptr;
  mlir::Type pointerType, i32Type, i64Type;

private:
  Value getAddress(mlir::LLVM::GlobalOp global, mlir::Attribute key);
  /// Globals of the module.
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> globals;
  /// Values of the current function.
  llvm::DenseMap<mlir::Attribute, Value> addresses;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, Value> scratch;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H
