// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime's C interface.

#ifndef MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H
#define MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace moe {

/// Writes calls of the runtime's C interface into a function, and what their
/// arguments need. After each call that reports a status comes a branch out of
/// the function.
class CallEmitter {
protected:
  using Value = mlir::Value;

  /// Calls of the function that takes the place of `host`.
  CallEmitter(mlir::func::FuncOp host, mlir::SymbolTable &symbols);

  /// Creates an externally visible function that returns a status or a number,
  /// and goes to its beginning. Returns its first block.
  mlir::Block *begin(mlir::StringRef name, mlir::Type result,
                     llvm::ArrayRef<mlir::Type> arguments);

  Value i32(int64_t value);
  Value i64(int64_t value);
  Value null();
  /// A function of the C interface; its declaration is made as needed.
  mlir::LLVM::LLVMFuncOp getCallee(mlir::StringRef name, mlir::Type result,
                                   mlir::TypeRange types);
  Value callPlain(mlir::StringRef name, mlir::Type result,
                  llvm::ArrayRef<Value> args);
  /// One that reports a status: leaves the function when it is not OK.
  void call(mlir::StringRef name, llvm::ArrayRef<Value> args);
  /// One whose last argument is where it writes a handle.
  Value create(mlir::StringRef name, llvm::ArrayRef<Value> args);
  /// Asks whether the library of a function that reports a status is there.
  void need(mlir::StringRef name, mlir::TypeRange types, Value context);
  Value advance(Value pointer, Value bytes);
  Value load(mlir::Type type, Value pointer, int64_t index);
  void store(Value value, Value pointer, int64_t index);
  /// Memory of the function for a call's description.
  Value getScratch(mlir::Type type, int64_t count);
  /// A constant array or zero-terminated text of the module.
  mlir::LLVM::GlobalOp getGlobal(mlir::DenseIntElementsAttr elements);
  mlir::LLVM::GlobalOp getTextGlobal(mlir::StringRef text);
  /// Pointer to one.
  Value getConstant(mlir::DenseIntElementsAttr elements);
  Value getConstant(llvm::ArrayRef<int64_t> elements);
  Value getText(mlir::StringRef text);
  /// A struct with these members, in memory.
  Value getStruct(llvm::ArrayRef<Value> members);

  mlir::func::FuncOp host;
  mlir::SymbolTable &symbols;
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// What other dialects have noted at the op that is emitted: its calls have
  /// it too.
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  mlir::LLVM::LLVMFuncOp function;
  /// Returns the status it is given.
  mlir::Block *failure = nullptr;
  mlir::Type pointerType, i32Type, i64Type;

private:
  Value getAddress(mlir::LLVM::GlobalOp global, mlir::Attribute key);
  /// Of the module.
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> globals;
  /// Of the function, from here on.
  llvm::DenseMap<mlir::Attribute, Value> addresses;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, Value> scratch;
};

} // namespace moe

#endif // MOE_LIB_CONVERSION_MOERTTOLLVM_CALLEMITTER_H
