// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the moert dialect.

#ifndef MOE_DIALECT_MOERT_MOERTOPS_H
#define MOE_DIALECT_MOERT_MOERTOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "moe/Dialect/MoE/MoEAttrs.h"
#include "moe/Dialect/MoE/MoEInterfaces.h"
#include "moe/Dialect/MoERT/Kernels.h"
#include "moe/Dialect/MoERT/MoERTDialect.h"
#include "moe/Dialect/MoERT/MoERTTypes.h"

namespace moe::rt {

/// What streams have been told, in the order the host told them. Every op that
/// tells them something writes it.
struct StreamOrderResource
    : public mlir::SideEffects::Resource::Base<StreamOrderResource> {
  llvm::StringRef getName() final { return "moert.stream_order"; }
};

/// Whether a memref has a static shape and static strides, and elements that
/// take whole bytes in a buffer (`getElementBytes`).
bool isBuffer(mlir::MemRefType type);

/// Whether a buffer is row-major without gaps. Its offset may be dynamic.
bool isContiguous(mlir::MemRefType type);

/// Bytes one element takes in a buffer: integers of 1 to 8 bits take one, then
/// 16, 32 and 64 bits, floats of 8 to 64 bits, `index` 8. Fails for others.
llvm::FailureOr<int64_t> getElementBytes(mlir::Type elementType);

} // namespace moe::rt

#define GET_OP_CLASSES
#include "moe/Dialect/MoERT/MoERTOps.h.inc"

#endif // MOE_DIALECT_MOERT_MOERTOPS_H
