// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers in the messages of the planners, which use standard C++ only.

#ifndef MOE_COST_NUMBERS_H
#define MOE_COST_NUMBERS_H

#include <concepts>
#include <cstdio>
#include <string>

namespace moe::cost {

/// At most six significant digits, as "%g" prints them.
inline std::string toText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

template <std::integral T> std::string toText(T value) {
  return std::to_string(value);
}

} // namespace moe::cost

#endif // MOE_COST_NUMBERS_H
