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

/// Elements that a lane processes at a time: a usual block of 128 elements then
/// keeps all lanes busy.
constexpr int kQuad = 4;
template <typename Element> struct alignas(kQuad * sizeof(Element)) Quad {
  Element elements[kQuad];
};

/// Calls `body(at, Lanes<n>)` for the share of this lane in [0, size), with n
/// `kQuad` if blocks consist of aligned groups of this many elements, else 1.
template <typename Element, typename Args, typename Body>
__device__ void forQuads(const Args &args, const void *elements, long long size,
                         const Body &body) {
  bool wide =
      args.hidden % kQuad == 0 && args.block % kQuad == 0 &&
      reinterpret_cast<unsigned long long>(args.values) % kQuad == 0 &&
      reinterpret_cast<unsigned long long>(elements) % sizeof(Quad<Element>) ==
          0;
  if (wide)
    for (long long i = kQuad * getLane(); i < size; i += kQuad * 32)
      body(i, Lanes<kQuad>());
  else
    for (long long i = getLane(); i < size; i += 32)
      body(i, Lanes<1>());
}

/// Moves `n` elements as one word.
template <int n, typename Element>
__device__ void moveQuad(const Element *from, Element *to) {
  if constexpr (n == kQuad)
    *reinterpret_cast<Quad<Element> *>(to) =
        *reinterpret_cast<const Quad<Element> *>(from);
  else
    *to = *from;
}

template <typename Element>
__device__ void quantizeRows(const moert_quantize_args &args) {
  auto *x = static_cast<const Element *>(args.x);
  auto *values = static_cast<unsigned char *>(args.values);
  forBlocksOfRows(args, [&](long long begin, long long size, long long number) {
    uint32_t largest = 0;
    forQuads<Element>(args, x, size, [&](long long at, auto lanes) {
      constexpr int n = decltype(lanes)::kCount;
      alignas(Quad<Element>) Element own[n];
      moveQuad<n>(x + begin + at, own);
#pragma unroll
      for (int i = 0; i < n; ++i) {
        uint32_t bits = moert::getMagnitude(static_cast<float>(widen(own[i])));
        largest = bits > largest ? bits : largest;
      }
    });
    for (int offset = 16; offset > 0; offset /= 2) {
      uint32_t other = __shfl_xor_sync(kWholeWarp, largest, offset);
      largest = other > largest ? other : largest;
    }
    float scale = moert::getE4M3Scale(largest);
    if (getLane() == 0)
      static_cast<float *>(args.scales)[number] = scale;
    forQuads<Element>(args, x, size, [&](long long at, auto lanes) {
      constexpr int n = decltype(lanes)::kCount;
      alignas(Quad<Element>) Element own[n];
      moveQuad<n>(x + begin + at, own);
      alignas(kQuad) unsigned char bytes[n];
#pragma unroll
      for (int i = 0; i < n; ++i)
        bytes[i] = moert::toE4M3(static_cast<float>(widen(own[i])), scale);
      moveQuad<n>(bytes, values + begin + at);
    });
  });
}

template <typename Element>
__device__ void dequantizeRows(const moert_dequantize_args &args) {
  auto *values = static_cast<const unsigned char *>(args.values);
  auto *scales = static_cast<const float *>(args.scales);
  auto *result = static_cast<Element *>(args.result);
  forBlocksOfRows(args, [&](long long begin, long long size, long long number) {
    float scale = scales[number];
    forQuads<Element>(args, result, size, [&](long long at, auto lanes) {
      constexpr int n = decltype(lanes)::kCount;
      alignas(kQuad) unsigned char bytes[n];
      const unsigned char *from = values + begin + at;
      moveQuad<n>(from, bytes);
      alignas(Quad<Element>) Element own[n];
#pragma unroll
      for (int i = 0; i < n; ++i)
        narrow(moert::fromE4M3(bytes[i]) * scale, own[i]);
      moveQuad<n>(own, result + begin + at);
    });
  });
}

extern "C" __global__ void moert_quantize_kernel(moert_quantize_args args) {
  withElement(args.type, [&](auto *element) {
    quantizeRows<std::remove_pointer_t<decltype(element)>>(args);
  });
}

extern "C" __global__ void moert_dequantize_kernel(moert_dequantize_args args) {
  withElement(args.type, [&](auto *element) {
    dequantizeRows<std::remove_pointer_t<decltype(element)>>(args);
  });
}

#endif // MOERT_NCCL_KERNELS_QUANTIZE_CUH
