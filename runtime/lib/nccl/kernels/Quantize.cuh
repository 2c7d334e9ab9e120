// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization of rows.

#ifndef MOERT_NCCL_KERNELS_QUANTIZE_CUH
#define MOERT_NCCL_KERNELS_QUANTIZE_CUH

#include "kernels/E4M3.h"
#include "nccl/kernels/Warps.cuh"

/// Calls `body(begin, size, number)` with one warp per block, where `number` is
/// the number of its scale.
template <typename Args, typename Body>
__device__ void forBlocksOfRows(const Args &args, const Body &body) {
  long long perRow = (args.hidden - 1) / args.block + 1;
  for (long long number = firstWarp(); number < args.rows * perRow;
       number += warpStep()) {
    long long row = number / perRow, at = (number - row * perRow) * args.block;
    long long left = args.hidden - at;
    body(row * args.hidden + at, left < args.block ? left : args.block, number);
  }
}

extern "C" __global__ void moert_quantize_kernel(moert_quantize_args args) {
  auto *values = static_cast<unsigned char *>(args.values);
  forBlocksOfRows(args, [&](long long begin, long long size, long long number) {
    uint32_t largest = 0;
    for (long long i = getLane(); i < size; i += 32) {
      uint32_t own =
          moert::getMagnitude(load<float>(args.type, args.x, begin + i));
      largest = own > largest ? own : largest;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
      uint32_t other = __shfl_xor_sync(kWholeWarp, largest, offset);
      largest = other > largest ? other : largest;
    }
    float scale = moert::getE4M3Scale(largest);
    if (getLane() == 0)
      static_cast<float *>(args.scales)[number] = scale;
    for (long long i = getLane(); i < size; i += 32)
      values[begin + i] =
          moert::toE4M3(load<float>(args.type, args.x, begin + i), scale);
  });
}

extern "C" __global__ void moert_dequantize_kernel(moert_dequantize_args args) {
  auto *values = static_cast<const unsigned char *>(args.values);
  auto *scales = static_cast<const float *>(args.scales);
  forBlocksOfRows(args, [&](long long begin, long long size, long long number) {
    float scale = scales[number];
    for (long long i = getLane(); i < size; i += 32)
      store(args.type, args.result, begin + i,
            moert::fromE4M3(values[begin + i]) * scale);
  });
}

#endif // MOERT_NCCL_KERNELS_QUANTIZE_CUH
