// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers from counters.

#ifndef MOERT_KERNELS_COUNTERNOISE_H
#define MOERT_KERNELS_COUNTERNOISE_H

#include "kernels/Scores.h"

namespace moert {

/// Words of Philox4x64-10 (Salmon et al., SC 2011) for the counter (s, e, 0,
/// 0), as defined by the dialect's `moe.gate`.
class CounterNoise {
public:
  /// Returns a number in [0, 1) for one element of one token.
  MOERT_ANYWHERE static double uniform(uint64_t seed, uint64_t token,
                                       uint64_t element) {
    Words words = generate(seed, 1, token, element);
    return static_cast<double>(words.first >> 11) * 0x1p-53;
  }

  /// Returns a standard normal number for one token and expert.
  MOERT_ANYWHERE static double normal(uint64_t seed, uint64_t token,
                                      uint64_t expert) {
    Words words = generate(seed, 0, token, expert);
    double u = (static_cast<double>(words.first >> 11) + 0.5) * 0x1p-53;
    double v = static_cast<double>(words.second >> 11) * 0x1p-53;
#ifdef __CUDA_ARCH__
    // The general cosine would keep the digits of pi in local memory.
    return std::sqrt(-2.0 * std::log(u)) * cospi(2.0 * v);
#else
    constexpr double kTwoPi = 6.283185307179586476925;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(kTwoPi * v);
#endif
  }

private:
  struct Words {
    uint64_t first, second;
  };

  MOERT_ANYWHERE static uint64_t multiplyHigh(uint64_t a, uint64_t b) {
    uint64_t aLow = a & 0xffffffff, aHigh = a >> 32;
    uint64_t bLow = b & 0xffffffff, bHigh = b >> 32;
    uint64_t middle = aHigh * bLow + (aLow * bLow >> 32);
    uint64_t other = aLow * bHigh + (middle & 0xffffffff);
    return aHigh * bHigh + (middle >> 32) + (other >> 32);
  }

  MOERT_ANYWHERE static Words generate(uint64_t key0, uint64_t key1,
                                       uint64_t c0, uint64_t c1) {
    constexpr uint64_t kFirst = 0xD2E7470EE14C6C93,
                       kSecond = 0xCA5A826395121157;
    uint64_t c2 = 0, c3 = 0;
    for (int round = 0; round < 10; ++round) {
      uint64_t next0 = multiplyHigh(kSecond, c2) ^ c1 ^ key0;
      uint64_t next2 = multiplyHigh(kFirst, c0) ^ c3 ^ key1;
      c1 = kSecond * c2;
      c3 = kFirst * c0;
      c0 = next0;
      c2 = next2;
      key0 += 0x9E3779B97F4A7C15;
      key1 += 0xBB67AE8584CAA73B;
    }
    return {c0, c1};
  }
};

} // namespace moert

#endif // MOERT_KERNELS_COUNTERNOISE_H
