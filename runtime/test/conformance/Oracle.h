// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the expected results.

#ifndef MOERT_TEST_CONFORMANCE_ORACLE_H
#define MOERT_TEST_CONFORMANCE_ORACLE_H

#include "moert.h"
#include <cstdint>
#include <string>
#include <vector>

// Independent of the library: elements are processed one at a time, as numbers,
// with arithmetic instead of bit operations.

namespace conformance {

using Bytes = std::vector<uint8_t>;

const std::vector<moert_type> &allTypes();
bool isFloat(moert_type type);
std::string nameOf(moert_type type);
std::string nameOf(moert_reduction reduction);

/// Return the value of element `index`; integers are exact up to 64 bits.
double loadFloat(moert_type type, const Bytes &bytes, size_t index);
int64_t loadInteger(moert_type type, const Bytes &bytes, size_t index);
/// Round to the type, ties to even.
void storeFloat(moert_type type, Bytes &bytes, size_t index, double value);
void storeInteger(moert_type type, Bytes &bytes, size_t index, int64_t value);

/// Returns a number rounded to an element type.
double roundFloat(moert_type type, double value);
double activate(moert_activation activation, double x);

uint64_t mix(std::initializer_list<uint64_t> words);

/// Returns `count` elements of random bits, for data that are only moved.
Bytes randomBits(moert_type type, size_t count, uint64_t seed);
/// The kind of numbers for reductions: of many magnitudes; including NaN,
/// infinities and zeros of both signs; or near 1, so that no order of a sum or
/// product overflows.
enum class Numbers { Many, Special, Tame };
Bytes randomNumbers(moert_type type, size_t count, uint64_t seed,
                    Numbers numbers = Numbers::Many);

/// Reduces element by element over the members, in the given order. The minimum
/// or maximum with a NaN is NaN, or with `passesNaN` the other number.
Bytes reduce(moert_type type, moert_reduction reduction,
             const std::vector<Bytes> &members, bool passesNaN = false);

/// Returns the position of the first difference; empty if the results are
/// equal. Compares bit for bit if `tolerance` is 0, otherwise relative to the
/// largest number.
std::string compare(moert_type type, const Bytes &expected, const Bytes &got,
                    double tolerance);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_ORACLE_H
