// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers on the command line.

#include "moe/Tools/NumberOptions.h"
#include <cmath>

using namespace llvm;
using namespace moe;

bool IntegerRange::parse(StringRef text, int64_t &value) const {
  return !text.getAsInteger(10, value) && value >= min && value <= max;
}

std::string IntegerRange::describe() const {
  return "an integer in [" + std::to_string(min) + ", " + std::to_string(max) +
         "]";
}

bool RealRange::parse(StringRef text, double &value) const {
  return !text.getAsDouble(value) && std::isfinite(value) &&
         (mayBeZero ? value >= 0 : value > 0);
}

std::string RealRange::describe() const {
  return std::string("a finite number ") +
         (mayBeZero ? "of at least 0" : "above 0") +
         (word.empty() ? "" : " or '" + word + "'");
}
