// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precisions of matrix products.

#include "moe/Cost/Precision.h"

using namespace moe::cost;

static constexpr std::string_view kNames[kNumPrecisions] = {
    "bf16", "fp8", "fp8-tensorwise", "fp8-blockwise", "mxfp8", "nvfp4"};

std::string_view moe::cost::getName(Precision precision) {
  return kNames[unsigned(precision)];
}

std::optional<Precision> moe::cost::parsePrecision(std::string_view name) {
  for (unsigned i = 0; i < kNumPrecisions; ++i)
    if (kNames[i] == name)
      return Precision(i);
  return std::nullopt;
}

Precision moe::cost::getMeasuredPrecision(Precision precision) {
  return precision == Precision::FP8Delayed ? Precision::FP8Tensorwise
                                            : precision;
}

double moe::cost::getValueBytes(Precision precision) {
  switch (precision) {
  case Precision::SixteenBit:
    return 2;
  case Precision::FP8Delayed:
  case Precision::FP8Tensorwise:
    return 1;
  case Precision::FP8Blockwise:
    // The scale has 32 bits.
    return 1 + 4.0 / 128;
  case Precision::MXFP8:
    return 1 + 1.0 / 32;
  case Precision::NVFP4:
    return 0.5 + 1.0 / 16;
  }
  return 2;
}

/// Returns true if all values must be read for a scale before any is written.
static bool readsTwice(Precision precision) {
  return precision == Precision::FP8Tensorwise || precision == Precision::NVFP4;
}

int64_t moe::cost::countQuantizeKernels(Precision precision) {
  if (precision == Precision::SixteenBit)
    return 0;
  return readsTwice(precision) ? 2 : 1;
}

double moe::cost::getQuantizeBytes(Precision precision, int64_t copies) {
  constexpr double kSource = 2;
  return double(countQuantizeKernels(precision)) * kSource +
         (precision == Precision::SixteenBit
              ? 0
              : double(copies) * getValueBytes(precision));
}
