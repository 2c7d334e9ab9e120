// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as text.

#include "moe/Cost/FormatNumber.h"

#include <charconv>
#include <cmath>
#include <cstdio>

using namespace moe::cost;

std::string moe::cost::formatShortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string moe::cost::formatNumber(double number) {
  bool isWhole = number == std::floor(number) && std::abs(number) < 1e15;
  return isWhole ? std::to_string(int64_t(number)) : formatShortest(number);
}

/// Prints a number; `pattern` takes the digits and the number. The buffer has
/// no fixed size because large numbers have hundreds of digits in fixed
/// notation.
static std::string print(const char *pattern, int digits, double number) {
  std::string text(size_t(std::snprintf(nullptr, 0, pattern, digits, number)),
                   '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, digits, number);
  return text;
}

std::string moe::cost::formatDigits(double number, int digits) {
  return print("%.*g", digits, number);
}

std::string moe::cost::formatFixed(double number, int digits) {
  return print("%.*f", digits, number);
}

std::string moe::cost::formatHash(uint64_t hash) {
  std::string text(16, '0');
  for (size_t i = text.size(); i-- > 0; hash >>= 4)
    text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

std::string moe::cost::formatTime(double us) {
  double value = us;
  const char *unit = "us";
  // Values from 999.5 on would round to four digits.
  for (const char *larger : {"ms", "s"}) {
    if (std::abs(value) < 999.5)
      break;
    value /= 1000;
    unit = larger;
  }
  double magnitude = std::abs(value);
  int digits = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
  return formatFixed(value, digits) + " " + unit;
}
