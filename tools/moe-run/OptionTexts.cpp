// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that are a small language.

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
  // Negative ones, infinities and NaN are no tolerances.
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

/// Appends the ports A to B of "A-B", or takes all: one or the other.
static bool readPorts(StringRef text, SwitchOptions &options) {
  if (text == "all")
    options.allPorts = true;
  if (options.allPorts)
    return text == "all" && options.ports.empty();
  constexpr int32_t kMostPorts = 1 << 16;
  auto [first, last] = text.split('-');
  int32_t from, to;
  if (first.getAsInteger(10, from) || last.getAsInteger(10, to) || from < 1 ||
      to < from || to > kMostPorts)
    return false;
  for (int32_t port = from; port <= to; ++port)
    options.ports.push_back(port);
  return true;
}

/// Reads one KEY=VALUE; empty when all is well.
static std::string readKey(StringRef text, SwitchOptions &options) {
  auto [key, value] = text.split('=');
  if (key == "dialect") {
    options.dialect =
        value == "calient" ? MOERT_OCS_CALIENT : MOERT_OCS_POLATIS;
    if (value == "calient" || value == "polatis")
      return "";
    return "expected dialect=polatis or dialect=calient";
  }
  if (key == "user") {
    options.user = value.str();
    return value.empty() ? "expected a name after user=" : "";
  }
  if (key == "link-up-us")
    return value.getAsDouble(options.linkUpUs)
               ? "expected microseconds after link-up-us="
               : "";
  if (key == "ports")
    return readPorts(value, options)
               ? ""
               : "expected ports=all, or only ports=A-B with 1 <= A <= B <= "
                 "65536";
  return "expected dialect=, user=, link-up-us= or ports=";
}

std::string moe::run::parseSwitch(StringRef text, SwitchOptions &options) {
  auto [name, rest] = text.split('=');
  SmallVector<StringRef> parts;
  rest.split(parts, ',');
  if (name.empty() || parts.front().empty())
    return ("--ocs: expected NAME=HOST:PORT, got '" + text + "'").str();
  options.name = name.str();
  options.address = parts.front().str();
  for (StringRef part : ArrayRef(parts).drop_front())
    if (std::string problem = readKey(part, options); !problem.empty())
      return ("--ocs=" + name + ": " + problem + ", got '" + part + "'").str();
  return "";
}
