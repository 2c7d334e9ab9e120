// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats numbers as text. All conversions of a single number are here; a
// message or table row with several numbers uses a `formatv` pattern.

#ifndef MOE_COST_FORMATNUMBER_H
#define MOE_COST_FORMATNUMBER_H

#include <concepts>
#include <cstdint>
#include <string>

namespace moe::cost {

/// Returns the fewest digits that parse to the same number: "0.1", "1e+06".
std::string formatShortest(double number);

/// Like `formatShortest`, but prints whole numbers below 1e15 in full because
/// counts and bytes are easier to read that way: "1000000".
std::string formatNumber(double number);

/// Prints at most `digits` significant digits, like "%.{digits}g": "1.5",
/// "1e+06".
std::string formatDigits(double number, int digits);

/// Prints `digits` digits after the decimal point: "1.50".
std::string formatFixed(double number, int digits);

/// Prints 16 hexadecimal digits.
std::string formatHash(uint64_t hash);

/// Prints a time for people with three significant digits in the unit that
/// needs no padding zeros: "46.0 us", "109 ms", "1.24 s". JSON output has full
/// precision instead.
std::string formatTime(double us);

/// Formats a number for the planners' messages with at most six significant
/// digits.
inline std::string toText(double number) { return formatDigits(number, 6); }
template <std::integral T> std::string toText(T number) {
  return std::to_string(number);
}

} // namespace moe::cost

#endif // MOE_COST_FORMATNUMBER_H
