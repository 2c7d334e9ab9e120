// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank's data of a value.

#include "moe/Interpreter/LocalTensor.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace moe;

std::optional<int64_t> moe::countElements(llvm::ArrayRef<int64_t> shape) {
  // A dim of size 0 makes the tensor empty, even if the other dims overflow.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

llvm::SmallVector<int64_t, 4>
moe::rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  // The strides of an empty tensor are never used to address elements, so they
  // may wrap.
  for (int64_t d = static_cast<int64_t>(shape.size()) - 2; d >= 0; --d)
    strides[d] = static_cast<int64_t>(static_cast<uint64_t>(strides[d + 1]) *
                                      static_cast<uint64_t>(shape[d + 1]));
  return strides;
}

void moe::copyStrided(const Cell *source, llvm::ArrayRef<int64_t> sourceStrides,
                      Cell *target, llvm::ArrayRef<int64_t> targetStrides,
                      llvm::ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return;
  // Omits dims of size 1 and merges neighbours that are contiguous in both
  // tensors; the remaining dims are the loops.
  struct Loop {
    int64_t size, source, target;
  };
  llvm::SmallVector<Loop, 6> loops; // innermost first
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1)
      continue;
    if (!loops.empty()) {
      Loop &inner = loops.back();
      if (sourceStrides[d] == inner.source * inner.size &&
          targetStrides[d] == inner.target * inner.size) {
        inner.size *= sizes[d];
        continue;
      }
    }
    loops.push_back({sizes[d], sourceStrides[d], targetStrides[d]});
  }
  int64_t run = 1;
  bool block = !loops.empty() && loops[0].source == 1 && loops[0].target == 1;
  Loop inner{1, 1, 1};
  if (!loops.empty()) {
    inner = loops[0];
    loops.erase(loops.begin());
  }
  run = inner.size;
  llvm::SmallVector<int64_t, 6> index(loops.size(), 0);
  while (true) {
    if (block || run == 1)
      std::memcpy(target, source, run * sizeof(Cell));
    else
      for (int64_t i = 0; i < run; ++i)
        target[i * inner.target] = source[i * inner.source];
    size_t d = 0;
    for (; d < loops.size(); ++d) {
      source += loops[d].source;
      target += loops[d].target;
      if (++index[d] < loops[d].size)
        break;
      source -= loops[d].source * loops[d].size;
      target -= loops[d].target * loops[d].size;
      index[d] = 0;
    }
    if (d == loops.size())
      return;
  }
}

LocalTensor::Storage::Storage(int64_t size, MemoryBudget &budget)
    : data(std::make_unique_for_overwrite<Cell[]>(size)), size(size),
      budget(budget) {}

LocalTensor::Storage::~Storage() { budget.release(size * sizeof(Cell)); }

std::optional<LocalTensor> LocalTensor::allocate(llvm::ArrayRef<int64_t> shape,
                                                 MemoryBudget &budget) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count > std::numeric_limits<int64_t>::max() /
                             static_cast<int64_t>(sizeof(Cell)))
    return std::nullopt;
  if (!budget.charge(*count * sizeof(Cell)))
    return std::nullopt;
  LocalTensor tensor;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.cells = std::make_shared<Storage>(*count, budget);
  return tensor;
}

LocalTensor LocalTensor::withShape(llvm::ArrayRef<int64_t> newShape) const {
  LocalTensor tensor = *this;
  tensor.shape.assign(newShape.begin(), newShape.end());
  return tensor;
}
