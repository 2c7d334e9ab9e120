// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options with a syntax of their own.

#include "OptionTexts.h"
#include <cmath>

using namespace mlir;
using namespace moe;
using namespace moe::run;

std::string moe::run::parseArrayInput(StringRef text, ArrayInput &input) {
  auto [argument, file] = text.split('=');
  input.argument = argument.str();
  input.file = file.str();
  if (!argument.empty() && !file.empty())
    return "";
  return "--input: expected ARGUMENT=FILE, an argument's number or name and a "
         "file, got '" +
         text.str() + "'";
}

std::string moe::run::parseTolerance(StringRef text, Tolerance &tolerance) {
  auto [relative, absolute] = text.split(',');
  // Negative numbers, infinities and NaN are rejected.
  auto read = [](StringRef number, double &value) {
    return !number.getAsDouble(value) && value >= 0 && std::isfinite(value);
  };
  bool hasAbsolute = text.contains(',');
  if (read(relative, tolerance.relative) &&
      (!hasAbsolute || read(absolute, tolerance.absolute)))
    return "";
  return ("--tolerance: expected REL or REL,ABS, numbers of at least 0, got '" +
          text + "'")
      .str();
}
