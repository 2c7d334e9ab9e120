// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers from counters.

#ifndef MOE_LIB_INTERPRETER_COUNTERNOISE_H
#define MOE_LIB_INTERPRETER_COUNTERNOISE_H

#include <array>
#include <cstdint>

namespace moe {

/// Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011): a bijection of the counter for each key. NumPy's `random.Philox`
/// returns the same numbers if its counter is one lower.
std::array<uint64_t, 4> philox(std::array<uint64_t, 4> counter,
                               std::array<uint64_t, 2> key);

/// Draws a number in [0, 1) for an element of a token; see `moe.gate`.
double drawUniform(uint64_t seed, uint64_t token, uint64_t element);

/// Draws a standard normal number for a token and an expert; see `moe.gate`.
double drawNormal(uint64_t seed, uint64_t token, uint64_t expert);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_COUNTERNOISE_H
