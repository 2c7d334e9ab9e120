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

/// The commands that the host has enqueued on streams, in their order. Every op
/// that enqueues one writes this resource.
struct StreamOrderResource
    : public mlir::SideEffects::Resource::Base<StreamOrderResource> {
  llvm::StringRef getName() final { return "moert.stream_order"; }
};

/// Returns true if a memref has a static shape, static strides, and elements of
/// whole bytes in a buffer (`getElementBytes`).
bool isBuffer(mlir::MemRefType type);

/// Returns true if a buffer is row-major without gaps. Its offset may be
/// dynamic.
bool isContiguous(mlir::MemRefType type);

/// Returns the bytes per element in a buffer: 1 for integers of 1 to 8 bits, 2,
/// 4 and 8 for integers of 16, 32 and 64 bits, 1 to 8 for floats of 8 to 64
/// bits, and 8 for `index`. Fails for other types.
llvm::FailureOr<int64_t> getElementBytes(mlir::Type elementType);

} // namespace moe::rt

#define GET_OP_CLASSES
#include "moe/Dialect/MoERT/MoERTOps.h.inc"

#endif // MOE_DIALECT_MOERT_MOERTOPS_H
