// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in NumPy's file format.

#ifndef MOE_INTERPRETER_NPYARRAY_H
#define MOE_INTERPRETER_NPYARRAY_H

#include "mlir/IR/Types.h"
#include "moe/Cost/Result.h"
#include "moe/Interpreter/LocalTensor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace moe {

/// An array in a file that `numpy.save` wrote, versions 1.0 to 3.0: row by row
/// or column by column, of either byte order. Its elements are those of one of
/// the types below; NumPy has none of its own for the small floats.
///
/// | element type | dtype written | read as well |
/// | f64, f32, f16 | <f8, <f4, <f2 | |
/// | bf16 | <V2, as ml_dtypes has it | <u2 |
/// | floats of 8 bits | |V1, as ml_dtypes has them | |u1, <f1 |
/// | i1 | |b1 | |
/// | i8, i16, i32, i64, index | |i1, <i2, <i4, <i8, <i8 | the unsigned ones |
/// | ui8 to ui64 | |u1 to <u8 | |
class NpyArray {
public:
  /// Reads the header and checks that all data is there.
  static cost::Result<NpyArray> load(const std::string &path);
  static cost::Result<NpyArray> parse(std::unique_ptr<llvm::MemoryBuffer> file);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// The dtype, as its file names it.
  llvm::StringRef getDtype() const { return dtype; }

  /// Whether the elements are of this type; else what dtypes would be.
  cost::Result<bool> verifyElementType(mlir::Type elementType) const;

  /// The elements, row by row; of the sub-array at an index of the first dim if
  /// there is one.
  void read(mlir::Type elementType, std::optional<int64_t> index,
            llvm::MutableArrayRef<Cell> cells) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::string dtype;
  llvm::SmallVector<int64_t> shape;
  size_t dataOffset = 0, itemBytes = 0;
  bool byColumns = false, isBigEndian = false;
};

/// What a file of so many elements begins with, version 1.0, row by row; the
/// data follows as `encodeCells` writes it. Fails where NumPy has no dtype.
cost::Result<std::string> makeNpyHeader(mlir::Type elementType,
                                        llvm::ArrayRef<int64_t> shape);

} // namespace moe

#endif // MOE_INTERPRETER_NPYARRAY_H
