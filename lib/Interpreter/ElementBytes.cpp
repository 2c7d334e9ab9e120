// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts cells to and from their bytes in memory.

#include "moe/Interpreter/ElementBytes.h"
#include "moe/Dialect/MoERT/MoERTOps.h"
#include "moe/Interpreter/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace moe;

/// Returns the bits of a number in a float type.
static uint64_t getBits(FloatType type, double value) {
  if (type.isF64())
    return llvm::bit_cast<uint64_t>(value);
  if (type.isF32())
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  // The value is representable in the type, so this conversion does not round.
  llvm::APFloat number(value);
  bool lossy = false;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &lossy);
  return number.bitcastToAPInt().getZExtValue();
}

static double getValue(FloatType type, uint64_t bits) {
  if (type.isF64())
    return llvm::bit_cast<double>(bits);
  if (type.isF32())
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type.isBF16())
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  llvm::APFloat number(type.getFloatSemantics(),
                       llvm::APInt(type.getWidth(), bits));
  bool lossy = false;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &lossy);
  return number.convertToDouble();
}

void moe::encodeCells(Type elementType, ArrayRef<Cell> cells, void *bytes) {
  size_t size = *rt::getElementBytes(elementType);
  auto floating = dyn_cast<FloatType>(elementType);
  auto *target = static_cast<unsigned char *>(bytes);
  for (Cell cell : cells) {
    uint64_t bits =
        floating ? getBits(floating, llvm::bit_cast<double>(cell)) : cell;
    // True is 1 in memory but all ones in a cell.
    if (elementType.isInteger(1))
      bits &= 1;
    std::memcpy(target, &bits, size);
    target += size;
  }
}

void moe::decodeCells(Type elementType, const void *bytes,
                      MutableArrayRef<Cell> cells) {
  size_t size = *rt::getElementBytes(elementType);
  auto floating = dyn_cast<FloatType>(elementType);
  auto *source = static_cast<const unsigned char *>(bytes);
  for (Cell &cell : cells) {
    uint64_t bits = 0;
    std::memcpy(&bits, source, size);
    source += size;
    if (!floating) {
      cell =
          wrapInteger(static_cast<int64_t>(bits), getIntegerWidth(elementType));
      continue;
    }
    double value = getValue(floating, bits);
    if (std::isnan(value))
      value = std::numeric_limits<double>::quiet_NaN();
    cell = llvm::bit_cast<Cell>(value);
  }
}
