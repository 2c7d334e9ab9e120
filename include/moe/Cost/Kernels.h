// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels take on a device that was measured.
//
// `GemmCost` is one line for all products. Measured products do not lie on one:
// how many tiles a product has, and how long each works, decide what share of
// the peak it reaches. A platform that states `Kernels` states both.

#ifndef MOE_COST_KERNELS_H
#define MOE_COST_KERNELS_H

#include "moe/Cost/Machine.h"
#include "moe/Cost/Precision.h"

#include <cstdint>
#include <string>
#include <vector>

namespace moe::cost {

/// Products of a row of matrices [m, k] x [k, n], all of one kernel. The output
/// is cut into tiles of `tileRows` x `tileColumns`, each of which one streaming
/// multiprocessor (SM) computes; as many tiles as there are SMs are a wave.
struct ProductRates {
  /// Rate of all SMs together inside of tiles, TFLOP/s.
  double tflops = 0;
  int64_t tileRows = 0, tileColumns = 0;
  /// What it takes to begin and end a tile, in elements of k.
  double fill = 0;
  /// How much of a whole wave the last one takes beyond its own tiles, 0 to 1.
  double partialWave = 0;
  /// What any such kernel takes.
  Microseconds start;
  std::string origin;

  /// Time of `count` products on so many SMs, with 16-bit operands.
  /// m, n and k may be means, and are at least 1 together with count.
  Microseconds getTime(double count, double m, double n, double k,
                       int64_t sms) const;
};

/// Causal attention of one head width, at one length of sequence.
struct AttentionRate {
  int64_t headWidth = 0, seqLen = 0;
  /// TFLOP/s, counted over half of all pairs: 2 s^2 d per head forward, 5 s^2 d
  /// backward.
  double forwardTflops = 0, backwardTflops = 0;
};

/// Products of operands of fewer than 16 bits, and the kernels that quantize
/// these.
struct QuantizedProducts {
  Precision precision = Precision::FP8Tensorwise;
  /// Copies of an operand that the products of a linear layer need: 2 where
  /// gradients of weights need a transposed one, or one with other scales.
  int64_t copies = 2;
  ProductRates products, groupedProducts;
  /// Bytes read and written per second by kernels that quantize.
  GBps quantize;
  std::string quantizeOrigin;
};

/// Kernels of a device.
struct Kernels {
  int64_t sms = 0;
  /// Products of one matrix, and of many of their own rows each (experts).
  ProductRates products, groupedProducts;
  /// One entry of each precision, none of 16 bits or of delayed scaling.
  std::vector<QuantizedProducts> quantized;
  std::vector<AttentionRate> attention;
  std::string attentionOrigin;
  /// Bytes read and written per second by kernels that compute little, and the
  /// time that each of them takes without bytes.
  GBps memory;
  Microseconds memoryStart;
  std::string memoryOrigin;
  /// What a transfer on a few SMs costs concurrent products, over its own time:
  /// products of at least two waves, and smaller ones, which lose most of a
  /// wave to any missing SM. 0 to 1.
  double overlapCost = 0, overlapCostOfOneWave = 0;
  std::string overlapOrigin;

  /// m x k times k x n.
  Microseconds getProductTime(double m, double n, double k) const {
    return products.getTime(1, m, n, k, sms);
  }
  /// A product for each of several experts with `rows` rows each; a single
  /// expert has a plain product.
  Microseconds getGroupedTime(double experts, double rows, double n,
                              double k) const {
    return experts > 1 ? groupedProducts.getTime(experts, rows, n, k, sms)
                       : getProductTime(rows, n, k);
  }
  /// The entry whose products a precision has; null if there is none.
  const QuantizedProducts *findQuantized(Precision precision) const;
  /// By how much a transfer slows down `count` concurrent products with outputs
  /// of m x n, over the transfer's own time.
  double getOverlapCost(double m, double n, double count = 1) const;
  /// How many times as long `count` products take that leave `freeSms` SMs
  /// free, fewer than there are; at least 1.
  double getSlowdown(double count, double m, double n, double k,
                     int64_t freeSms) const;
  /// The rate at the nearest measured width; between two measured lengths
  /// linear in their logarithm, flat outside.
  AttentionRate getAttention(double headWidth, double seqLen) const;
  /// A kernel that reads and writes so many bytes together.
  Microseconds getMemoryTime(Bytes bytes) const {
    return memoryStart + bytes / memory;
  }
};

/// Kernels at the lines of a machine that states no rates by size: products and
/// attention at the rate of its GEMM line, kernels that compute little at the
/// rate of its large copies, and an overlap that costs nothing. None if it
/// states no such lines.
std::optional<Kernels> makeKernels(const Machine &machine);

} // namespace moe::cost

#endif // MOE_COST_KERNELS_H
