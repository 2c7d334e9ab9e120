// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What results must be, computed the plain way.

#ifndef MOERT_TEST_CONFORMANCE_ORACLE_H
#define MOERT_TEST_CONFORMANCE_ORACLE_H

#include "moert.h"
#include <cstdint>
#include <string>
#include <vector>

// Independent of the library: elements are handled one at a time, as numbers,
// by arithmetic instead of by bits.

namespace conformance {

using Bytes = std::vector<uint8_t>;

const std::vector<moert_type> &allTypes();
bool isFloat(moert_type type);
std::string nameOf(moert_type type);
std::string nameOf(moert_reduction reduction);

/// The value of element `index`; integers are exact up to 64 bits.
double loadFloat(moert_type type, const Bytes &bytes, size_t index);
int64_t loadInteger(moert_type type, const Bytes &bytes, size_t index);
/// Rounds to the type, ties to even.
void storeFloat(moert_type type, Bytes &bytes, size_t index, double value);
void storeInteger(moert_type type, Bytes &bytes, size_t index, int64_t value);

/// A number as an element of a type has it.
double roundFloat(moert_type type, double value);
double activate(moert_activation activation, double x);

/// A hash of any numbers.
uint64_t mix(std::initializer_list<uint64_t> words);

/// `count` elements of random bits, for data that are only moved.
Bytes randomBits(moert_type type, size_t count, uint64_t seed);
/// What numbers for reductions are like: of many sizes; some of them NaN,
/// infinities and zeros of both signs; or near 1, so that no order of a sum or
/// product overflows.
enum class Numbers { Many, Special, Tame };
Bytes randomNumbers(moert_type type, size_t count, uint64_t seed,
                    Numbers numbers = Numbers::Many);

/// Element by element over the members, in the order given. Minima and maxima
/// with a NaN are NaN, or pass it over.
Bytes reduce(moert_type type, moert_reduction reduction,
             const std::vector<Bytes> &members, bool passesNaN = false);

/// Where two results differ: empty when they are equal, bit for bit when
/// `tolerance` is 0, else relative to the largest of the numbers.
std::string compare(moert_type type, const Bytes &expected, const Bytes &got,
                    double tolerance);

} // namespace conformance

#endif // MOERT_TEST_CONFORMANCE_ORACLE_H
