// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells as bytes in memory.

#ifndef MOE_INTERPRETER_ELEMENTBYTES_H
#define MOE_INTERPRETER_ELEMENTBYTES_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"

namespace moe {

/// Writes cells of an element type as the runtime's buffers, and files, hold
/// them: `rt::getElementBytes` bytes each, the lowest first, true as 1.
void encodeCells(mlir::Type elementType, llvm::ArrayRef<Cell> cells,
                 void *bytes);

/// The inverse; every NaN becomes one, as the interpreter has it.
void decodeCells(mlir::Type elementType, const void *bytes,
                 llvm::MutableArrayRef<Cell> cells);

} // namespace moe

#endif // MOE_INTERPRETER_ELEMENTBYTES_H
