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

/// An array in a file that `numpy.save` wrote, versions 1.0 to 3.0, row-major
/// or column-major, of either byte order. Its elements have one of the types
/// below. NumPy has no dtypes for the small floats.
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
  /// Reads the header and checks that the file has all data.
  static cost::Result<NpyArray> load(const std::string &path);
  static cost::Result<NpyArray> parse(std::unique_ptr<llvm::MemoryBuffer> file);

  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// Returns the dtype as it is in the file.
  llvm::StringRef getDtype() const { return dtype; }

  /// Returns true if the elements are of this type. Otherwise fails; the
  /// failure names the dtypes that are.
  cost::Result<bool> verifyElementType(mlir::Type elementType) const;

  /// Reads the elements in row-major order; with `index`, only the sub-array at
  /// this index of the first dim.
  void read(mlir::Type elementType, std::optional<int64_t> index,
            llvm::MutableArrayRef<Cell> cells) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::string dtype;
  llvm::SmallVector<int64_t> shape;
  size_t dataOffset = 0, itemBytes = 0;
  bool byColumns = false, isBigEndian = false;
};

/// Returns the header, version 1.0, of a row-major file with this shape. The
/// data follows it in the format of `encodeCells`. Fails if NumPy has no dtype
/// for the type.
cost::Result<std::string> makeNpyHeader(mlir::Type elementType,
                                        llvm::ArrayRef<int64_t> shape);

} // namespace moe

#endif // MOE_INTERPRETER_NPYARRAY_H
