// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's data of a value.

#ifndef MOE_INTERPRETER_LOCALTENSOR_H
#define MOE_INTERPRETER_LOCALTENSOR_H

#include "moe/Interpreter/MemoryBudget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace moe {

/// One element. The domain defines the meaning of the bits: a number for plain
/// values (doubles by their bits, integers sign-extended), an id for terms.
using Cell = uint64_t;

/// Returns the number of elements of a shape without negative sizes; nullopt if
/// it exceeds 2^63 - 1.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// Returns the strides, in elements, of a row-major tensor of this shape.
llvm::SmallVector<int64_t, 4> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Copies a box of `sizes` elements; source and target each have their own
/// strides. Copies runs that are contiguous in both as blocks.
void copyStrided(const Cell *source, llvm::ArrayRef<int64_t> sourceStrides,
                 Cell *target, llvm::ArrayRef<int64_t> targetStrides,
                 llvm::ArrayRef<int64_t> sizes);

/// One rank's data of an SSA value: a shape (rank 0 for a scalar) and cells in
/// row-major order. Copies share their cells, which do not change after the op
/// that made them has ended, so replicated data is stored once.
class LocalTensor {
public:
  LocalTensor() = default;

  /// Returns a tensor with undefined cells; nullopt if the budget is exceeded
  /// or the shape overflows.
  static std::optional<LocalTensor> allocate(llvm::ArrayRef<int64_t> shape,
                                             MemoryBudget &budget);

  explicit operator bool() const { return cells != nullptr; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getDimSize(unsigned dim) const { return shape[dim]; }
  llvm::ArrayRef<Cell> getCells() const {
    return {cells->data.get(), static_cast<size_t>(cells->size)};
  }
  /// For the op that makes the tensor, before anyone else sees it.
  llvm::MutableArrayRef<Cell> getMutableCells() {
    return {cells->data.get(), static_cast<size_t>(cells->size)};
  }
  Cell getScalar() const { return cells->data[0]; }
  /// The same cells under another shape of as many elements.
  LocalTensor withShape(llvm::ArrayRef<int64_t> newShape) const;
  /// Equal for tensors that share their cells.
  const void *getIdentity() const { return cells.get(); }

private:
  struct Storage {
    Storage(int64_t size, MemoryBudget &budget);
    ~Storage();
    std::unique_ptr<Cell[]> data;
    int64_t size;
    MemoryBudget &budget;
  };

  llvm::SmallVector<int64_t, 4> shape;
  std::shared_ptr<Storage> cells;
};

/// A value on every rank; an inactive rank's entry is null.
using RankTensors = std::vector<LocalTensor>;

} // namespace moe

#endif // MOE_INTERPRETER_LOCALTENSOR_H
