// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded random numbers.

#ifndef MOE_LIB_TRAFFIC_RANDOM_H
#define MOE_LIB_TRAFFIC_RANDOM_H

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace moe::traffic {

/// A seeded generator. The distributions of the C++ standard differ between
/// libraries, so this class has its own.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  uint64_t draw() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Draws from [0, 1).
  double drawUniform() { return static_cast<double>(draw() >> 11) * 0x1p-53; }
  int64_t drawBelow(int64_t limit) {
    return static_cast<int64_t>(drawUniform() * static_cast<double>(limit));
  }
  /// Draws from the normal distribution with mean 0 and deviation 1 (Box and
  /// Muller, 1958).
  double drawNormal() {
    double radius = std::sqrt(-2 * std::log1p(-drawUniform()));
    return radius * std::cos(6.283185307179586 * drawUniform());
  }

  template <typename Iterator> void shuffle(Iterator begin, Iterator end) {
    for (int64_t left = end - begin; left > 1; --left)
      std::swap(begin[left - 1], begin[drawBelow(left)]);
  }

private:
  uint64_t state;
};

} // namespace moe::traffic

#endif // MOE_LIB_TRAFFIC_RANDOM_H
