//===- Command.cpp - What the subcommands of moe-plan share ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "moe/Platform/Lookup.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace llvm;
using namespace moe;
using namespace moe::plan;

Expected<int64_t> IntegerOption::read(std::optional<int64_t> fallback) const {
  std::string name = "--" + option.ArgStr.str();
  if (!isSet()) {
    if (fallback)
      return *fallback;
    return makeError(name + ": expected this option, got none");
  }
  int64_t value;
  if (StringRef(option).getAsInteger(10, value) || value < min || value > max)
    return makeError(name + ": expected an integer in [" + Twine(min) + ", " +
                     Twine(max) + "], got '" + option.getValue() + "'");
  return value;
}

Expected<double> NumberOption::read(std::optional<double> fallback,
                                    StringRef orElse) const {
  std::string name = "--" + option.ArgStr.str();
  if (!isSet()) {
    if (fallback)
      return *fallback;
    return makeError(name + ": expected this option, got none");
  }
  double value;
  if (StringRef(option).getAsDouble(value) || !std::isfinite(value) ||
      (mayBeZero ? value < 0 : value <= 0))
    return makeError(name + ": expected a finite number " +
                     (mayBeZero ? "of at least 0" : "above 0") + orElse +
                     ", got '" + option.getValue() + "'");
  return value;
}

Expected<moe::platform::Platform> PlatformOption::load() const {
  auto loaded = platform::findAndLoadPlatform(option, "--platform",
                                              {.ignoreFitted = ignoreFitted});
  if (!loaded)
    return makeError(loaded.getError());
  return std::move(*loaded);
}

Expected<std::string> moe::plan::readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError(path + ": expected a file that can be read, got: " +
                     buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

std::string moe::plan::markExtrapolated(const std::string &note,
                                        bool isExtrapolated) {
  if (!isExtrapolated)
    return note;
  return note + (note.empty() ? "extrapolated" : ", extrapolated");
}

std::string moe::plan::describeGap(double us) {
  return us < 0 ? formatFixed(-us, 1) + " us shorter, within the uncertainty"
                : formatFixed(us, 1) + " us longer";
}
