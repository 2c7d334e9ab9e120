//===- Marshal.h - Elements as the runtime has them -------------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MOE_LIB_EXECUTION_MARSHAL_H
#define MOE_LIB_EXECUTION_MARSHAL_H

#include "mlir/IR/Types.h"
#include "moe/Interpreter/LocalTensor.h"
#include <vector>

namespace moe {

/// Memory of one buffer, aligned as the runtime aligns its own.
class AlignedBytes {
public:
  explicit AlignedBytes(size_t size);
  void *data() const { return start; }
  size_t size() const { return bytes; }

private:
  std::unique_ptr<unsigned char[]> memory;
  void *start;
  size_t bytes;
};

/// Bytes of a buffer of so many elements.
uint64_t getBufferBytes(mlir::Type elementType, size_t count);

/// Writes cells of an element type as the runtime's buffers hold them.
void encode(mlir::Type elementType, llvm::ArrayRef<Cell> cells, void *bytes);

/// The inverse; every NaN becomes one, as the interpreter has it.
void decode(mlir::Type elementType, const void *bytes,
            llvm::MutableArrayRef<Cell> cells);

} // namespace moe

#endif // MOE_LIB_EXECUTION_MARSHAL_H
