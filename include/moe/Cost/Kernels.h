// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel times on a measured device.
//
// `GemmCost` models all products by one line. Measured products deviate from it
// because the number of tiles and the work per tile decide how much of the peak
// a product reaches. A platform with `Kernels` has measured both.

#ifndef MOE_COST_KERNELS_H
#define MOE_COST_KERNELS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Precision.h"

#include <cstdint>
#include <string>
#include <vector>

namespace moe::cost {

/// Matrix products [m, k] x [k, n] that run in one kernel. The output is cut
/// into tiles of `tileRows` x `tileColumns`, and one streaming multiprocessor
/// (SM) computes each tile. One tile per SM makes a wave.
struct ProductRates {
  /// Rate of all SMs together inside tiles, TFLOP/s.
  double tflops = 0;
  int64_t tileRows = 0, tileColumns = 0;
  /// The cost of starting and finishing a tile, in elements of k.
  double fill = 0;
  /// How much of a whole wave the last, partial one takes beyond its own tiles,
  /// 0 to 1.
  double partialWave = 0;
  /// Fixed time per kernel.
  Microseconds start;
  std::string origin;

  /// Returns the time of `count` products on `sms` SMs with 16-bit operands. m,
  /// n and k may be means; they and `count` must be at least 1.
  Microseconds getTime(double count, double m, double n, double k,
                       int64_t sms) const;
};

/// Rates of causal attention for one head width and one sequence length.
struct AttentionRate {
  int64_t headWidth = 0, seqLen = 0;
  /// TFLOP/s, where half of all pairs count: 2 s^2 d FLOP per head forward, 5
  /// s^2 d backward.
  double forwardTflops = 0, backwardTflops = 0;
};

/// Products with operands below 16 bits, and the kernels that quantize these
/// operands.
struct QuantizedProducts {
  Precision precision = Precision::FP8Tensorwise;
  /// Quantized copies per operand of a linear layer: 2 if weight gradients need
  /// a transposed copy or a copy with other scales.
  int64_t copies = 2;
  ProductRates products, groupedProducts;
  /// Bytes read and written per second by quantization kernels.
  GBps quantize;
  std::string quantizeOrigin;
};

/// Kernels of a device.
struct Kernels {
  int64_t sms = 0;
  /// Plain products, and grouped products with separate rows per expert.
  ProductRates products, groupedProducts;
  /// At most one entry per precision; 16-bit and delayed scaling have no entry.
  std::vector<QuantizedProducts> quantized;
  std::vector<AttentionRate> attention;
  std::string attentionOrigin;
  /// Bytes read and written per second by memory-bound kernels, and the fixed
  /// time of each kernel.
  GBps memory;
  Microseconds memoryStart;
  std::string memoryOrigin;
  /// Slowdown of concurrent products by a transfer on a few SMs, as a fraction
  /// of the transfer's own time, 0 to 1: for products of at least two waves,
  /// and for smaller ones, because these lose most of a wave to any missing SM.
  double overlapCost = 0, overlapCostOfOneWave = 0;
  std::string overlapOrigin;

  /// Returns the time of one product [m, k] x [k, n].
  Microseconds getProductTime(double m, double n, double k) const {
    return products.getTime(1, m, n, k, sms);
  }
  /// Returns the time of one product per expert with `rows` rows each. A single
  /// expert runs a plain product.
  Microseconds getGroupedTime(double experts, double rows, double n,
                              double k) const {
    return experts > 1 ? groupedProducts.getTime(experts, rows, n, k, sms)
                       : getProductTime(rows, n, k);
  }
  /// Returns the entry for the products of this precision, or null.
  const QuantizedProducts *findQuantized(Precision precision) const;
  /// Returns how much a transfer slows down `count` concurrent products with
  /// outputs of m x n, as a fraction of the transfer's own time.
  double getOverlapCost(double m, double n, double count = 1) const;
  /// Returns the factor, at least 1, by which `count` products slow down when
  /// they leave `freeSms` of the device's SMs free. `freeSms` must be less than
  /// `sms`.
  double getSlowdown(double count, double m, double n, double k,
                     int64_t freeSms) const;
  /// Returns the rate at the nearest measured width. Interpolates linearly in
  /// the logarithm of the sequence length and is constant outside the measured
  /// lengths.
  AttentionRate getAttention(double headWidth, double seqLen) const;
  /// Returns the time of a kernel that reads and writes `bytes` in total.
  Microseconds getMemoryTime(Bytes bytes) const {
    return memoryStart + bytes / memory;
  }
};

/// Derives kernels from the lines of a machine that has no rates by size.
/// Products and attention run at the rate of its GEMM line, and memory-bound
/// kernels at the rate of its large copies; overlap costs nothing. Returns
/// nothing if the machine lacks either line.
std::optional<Kernels> makeKernels(const Machine &machine);

} // namespace moe::cost

#endif // MOE_COST_KERNELS_H
