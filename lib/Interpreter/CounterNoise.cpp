// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers from counters.

#include "CounterNoise.h"
#include <cmath>

using namespace moe;

/// Returns the upper half of a product.
static uint64_t multiplyHigh(uint64_t a, uint64_t b) {
  uint64_t aLow = a & 0xffffffff, aHigh = a >> 32;
  uint64_t bLow = b & 0xffffffff, bHigh = b >> 32;
  uint64_t low = aLow * bLow, left = aHigh * bLow, right = aLow * bHigh;
  uint64_t carry =
      ((low >> 32) + (left & 0xffffffff) + (right & 0xffffffff)) >> 32;
  return aHigh * bHigh + (left >> 32) + (right >> 32) + carry;
}

std::array<uint64_t, 4> moe::philox(std::array<uint64_t, 4> counter,
                                    std::array<uint64_t, 2> key) {
  constexpr uint64_t kMultipliers[] = {0xD2E7470EE14C6C93, 0xCA5A826395121157};
  constexpr uint64_t kWeyl[] = {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B};
  for (int round = 0; round < 10; ++round) {
    uint64_t low0 = kMultipliers[0] * counter[0];
    uint64_t low1 = kMultipliers[1] * counter[2];
    counter = {
        multiplyHigh(kMultipliers[1], counter[2]) ^ counter[1] ^ key[0], low1,
        multiplyHigh(kMultipliers[0], counter[0]) ^ counter[3] ^ key[1], low0};
    key = {key[0] + kWeyl[0], key[1] + kWeyl[1]};
  }
  return counter;
}

double moe::drawUniform(uint64_t seed, uint64_t token, uint64_t element) {
  std::array<uint64_t, 4> words = philox({token, element, 0, 0}, {seed, 1});
  return static_cast<double>(words[0] >> 11) * 0x1p-53;
}

double moe::drawNormal(uint64_t seed, uint64_t token, uint64_t expert) {
  constexpr double kTwoPi = 6.283185307179586476925;
  std::array<uint64_t, 4> words = philox({token, expert, 0, 0}, {seed, 0});
  double first = (static_cast<double>(words[0] >> 11) + 0.5) * 0x1p-53;
  double second = static_cast<double>(words[1] >> 11) * 0x1p-53;
  return std::sqrt(-2.0 * std::log(first)) * std::cos(kTwoPi * second);
}
