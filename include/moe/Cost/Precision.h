// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precisions of matrix products.

#ifndef MOE_COST_PRECISION_H
#define MOE_COST_PRECISION_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace moe::cost {

/// The operand format of a model's linear layers and experts. Weights and
/// activations between products have 16 bits; lower-precision products quantize
/// their operands first. Transformer Engine has these recipes.
enum class Precision : uint8_t {
  SixteenBit,
  /// One scale per tensor, from the largest values of earlier steps.
  FP8Delayed,
  /// One scale per tensor, from its own largest value (current scaling).
  FP8Tensorwise,
  /// One scale per 128 values of a row, and per 128 x 128 values of a weight.
  FP8Blockwise,
  /// One scale of 8 bits per 32 values (microscaling).
  MXFP8,
  /// 4 bits, one scale of 8 bits per 16 values.
  NVFP4
};
constexpr unsigned kNumPrecisions = 6;

/// Returns "bf16", "fp8", "fp8-tensorwise", "fp8-blockwise", "mxfp8" or
/// "nvfp4".
std::string_view getName(Precision precision);
std::optional<Precision> parsePrecision(std::string_view name);

/// Returns the precision for the measured products of `precision`: delayed
/// scaling runs the same products as tensorwise scaling.
Precision getMeasuredPrecision(Precision precision);

/// Returns the bytes of an operand's value including its share of the scales; 2
/// for 16 bits.
double getValueBytes(Precision precision);

/// Return the number of kernels that quantize one tensor, and the bytes per
/// value that these kernels read and write to produce `copies` copies. Current
/// scaling and the second scale of NVFP4 need an additional read to find the
/// largest value.
int64_t countQuantizeKernels(Precision precision);
double getQuantizeBytes(Precision precision, int64_t copies);

} // namespace moe::cost

#endif // MOE_COST_PRECISION_H
