// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts cells to and from their bytes in memory.

#ifndef MOE_INTERPRETER_ELEMENTBYTES_H
#define MOE_INTERPRETER_ELEMENTBYTES_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"

namespace moe {

/// Writes cells of an element type in the format of the runtime's buffers and
/// of files: `rt::getElementBytes` bytes per cell, lowest byte first; true is
/// 1.
void encodeCells(mlir::Type elementType, llvm::ArrayRef<Cell> cells,
                 void *bytes);

/// Reads cells that `encodeCells` wrote. Every NaN becomes the interpreter's
/// only NaN.
void decodeCells(mlir::Type elementType, const void *bytes,
                 llvm::MutableArrayRef<Cell> cells);

} // namespace moe

#endif // MOE_INTERPRETER_ELEMENTBYTES_H
