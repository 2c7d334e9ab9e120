// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers from counters.

#ifndef MOE_LIB_INTERPRETER_COUNTERNOISE_H
#define MOE_LIB_INTERPRETER_COUNTERNOISE_H

#include <array>
#include <cstdint>

namespace moe {

/// Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3", SC 2011): a bijection of the counter for each key. NumPy's
/// `random.Philox` gives the same words for the counter one below.
std::array<uint64_t, 4> philox(std::array<uint64_t, 4> counter,
                               std::array<uint64_t, 2> key);

/// In [0, 1), of a token and an element of it; see `moe.gate`.
double drawUniform(uint64_t seed, uint64_t token, uint64_t element);

/// Standard normal, of a token and an expert; see `moe.gate`.
double drawNormal(uint64_t seed, uint64_t token, uint64_t expert);

} // namespace moe

#endif // MOE_LIB_INTERPRETER_COUNTERNOISE_H
