//===- RemarkText.cpp - Texts of remarks about layers -----------*- C++ -*-===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Compiler/RemarkText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using llvm::StringRef;

std::pair<StringRef, StringRef> moe::splitLayer(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front("layer ") || !rest.contains(": "))
    return {"", text};
  return rest.split(": ");
}

std::string moe::formatLayers(llvm::ArrayRef<std::string> layers) {
  struct Range {
    StringRef first, last, phase;
    /// Up or down, as backward passes come; not known of one.
    int step = 0;
  };
  llvm::SmallVector<Range> ranges;
  for (StringRef name : layers) {
    auto [number, phase] = name.rsplit(' ');
    if (phase != "fwd" && phase != "bwd")
      std::tie(number, phase) = std::pair(name, StringRef());
    uint64_t before = 0, here = 0;
    if (!ranges.empty() && ranges.back().phase == phase &&
        !ranges.back().last.getAsInteger(10, before) &&
        !number.getAsInteger(10, here) &&
        ((ranges.back().step >= 0 && here > 0 && here - 1 == before) ||
         (ranges.back().step <= 0 && before > 0 && before - 1 == here))) {
      ranges.back().last = number;
      ranges.back().step = here > before ? 1 : -1;
    } else {
      ranges.push_back({number, number, phase});
    }
  }
  std::string text;
  for (const Range &range : ranges) {
    text += (text.empty() ? "" : ", ") + range.first.str();
    if (range.first != range.last)
      text += "-" + range.last.str();
    if (!range.phase.empty())
      text += " " + range.phase.str();
  }
  return text;
}

std::vector<std::string> moe::shortenChoice(StringRef text) {
  // A candidate: its name, its time, its memory; or times by degree.
  static const llvm::Regex weighed("^.+, [0-9.]+ us( \\(extrapolated\\))?, "
                                   "[0-9.]+ MB$"),
      degrees("^[0-9]+: [0-9.]+ us"), impossible("^no .+: ");
  llvm::SmallVector<StringRef> parts;
  text.split(parts, "; ");
  std::vector<std::string> lines = {parts.front().str()};
  size_t numWeighed = 0, numImpossible = 0;
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    if (part.starts_with("runner-up: ") || part.starts_with("baseline: "))
      lines.push_back(part.str());
    else if (impossible.match(part))
      ++numImpossible;
    else if (weighed.match(part) || degrees.match(part))
      ++numWeighed;
    else
      lines.push_back(part.str());
  }
  if (numWeighed)
    lines.push_back("what else was weighed: --remarks-full");
  if (numImpossible)
    lines.push_back(std::to_string(numImpossible) +
                    " could not be tried: --remarks-full");
  return lines;
}
