// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel times on a measured device.

#include "moe/Cost/Kernels.h"

#include <algorithm>
#include <cmath>

using namespace moe::cost;

Microseconds ProductRates::getTime(double count, double m, double n, double k,
                                   int64_t sms) const {
  double tiles = count * std::ceil(m / double(tileRows)) *
                 std::ceil(n / double(tileColumns));
  double waves = tiles / double(sms);
  waves = std::max(1.0, waves + partialWave * (std::ceil(waves) - waves));
  // FLOP of all SMs at TFLOP/s give a time in us.
  double flop = 2.0 * double(tileRows) * double(tileColumns) * (k + fill) *
                waves * double(sms);
  return start + Microseconds(flop / (tflops * 1e6));
}

std::optional<Kernels> moe::cost::makeKernels(const Machine &machine) {
  if (!machine.gemm || !machine.copy)
    return std::nullopt;
  constexpr double kFlopPerMac = 2;
  Kernels kernels;
  kernels.sms = 1;
  // Tiles of one element on one SM make the time a line in m n k.
  ProductRates line;
  line.tflops = kFlopPerMac / (Macs(1e6) * machine.gemm->beta).value();
  line.tileRows = line.tileColumns = 1;
  line.start = machine.gemm->alpha;
  line.origin = machine.gemm->origin;
  kernels.products = kernels.groupedProducts = line;
  AttentionRate rate;
  rate.headWidth = rate.seqLen = 1;
  rate.forwardTflops = rate.backwardTflops = line.tflops;
  kernels.attention = {rate};
  kernels.attentionOrigin = line.origin;
  // A copy reads and writes each of its bytes.
  const Bytes large(256.0 * 1024 * 1024);
  Microseconds start = machine.copy->efficiency.isEmpty()
                           ? machine.copy->latency
                           : Microseconds(0);
  kernels.memory = 2 * large / (getCopyTime(*machine.copy, large) - start);
  kernels.memoryStart = start;
  kernels.memoryOrigin = machine.copy->origin;
  return kernels;
}

const QuantizedProducts *Kernels::findQuantized(Precision precision) const {
  for (const QuantizedProducts &entry : quantized)
    if (entry.precision == getMeasuredPrecision(precision))
      return &entry;
  return nullptr;
}

double Kernels::getOverlapCost(double m, double n, double count) const {
  const ProductRates &rates = count > 1 ? groupedProducts : products;
  double tiles = count * std::ceil(m / double(rates.tileRows)) *
                 std::ceil(n / double(rates.tileColumns));
  return tiles < 2 * double(sms) ? overlapCostOfOneWave : overlapCost;
}

double Kernels::getSlowdown(double count, double m, double n, double k,
                            int64_t freeSms) const {
  const ProductRates &all = count > 1 ? groupedProducts : products;
  ProductRates left = all;
  left.tflops *= double(sms - freeSms) / double(sms);
  return std::max(1.0, left.getTime(count, m, n, k, sms - freeSms) /
                           all.getTime(count, m, n, k, sms));
}

AttentionRate Kernels::getAttention(double headWidth, double seqLen) const {
  int64_t width = attention.front().headWidth;
  for (const AttentionRate &rate : attention)
    if (std::abs(double(rate.headWidth) - headWidth) <
        std::abs(double(width) - headWidth))
      width = rate.headWidth;
  const AttentionRate *below = nullptr, *above = nullptr;
  for (const AttentionRate &rate : attention) {
    if (rate.headWidth != width)
      continue;
    if (double(rate.seqLen) <= seqLen &&
        (!below || rate.seqLen > below->seqLen))
      below = &rate;
    if (double(rate.seqLen) >= seqLen &&
        (!above || rate.seqLen < above->seqLen))
      above = &rate;
  }
  if (!below || !above || below == above)
    return below ? *below : *above;
  double share = std::log(seqLen / double(below->seqLen)) /
                 std::log(double(above->seqLen) / double(below->seqLen));
  AttentionRate rate = *below;
  rate.seqLen = int64_t(seqLen);
  rate.forwardTflops += share * (above->forwardTflops - below->forwardTflops);
  rate.backwardTflops +=
      share * (above->backwardTflops - below->backwardTflops);
  return rate;
}
