//===- OptionValues.cpp - Wrong values of options, in words ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Support/OptionValues.h"
#include <limits>

using namespace llvm;
using namespace moe;

/// Who collects on this thread, the innermost.
static thread_local CollectedProblems *collecting = nullptr;

CollectedProblems::CollectedProblems() : outer(collecting) {
  collecting = this;
}

CollectedProblems::~CollectedProblems() { collecting = outer; }

bool moe::refuseValue(cl::Option &option, const Twine &problem) {
  if (!collecting)
    return option.error(problem);
  std::string &text = collecting->text;
  text += (text.empty() ? "" : "; ") + (option.ArgStr + ": " + problem).str();
  return true;
}

raw_ostream &moe::operator<<(raw_ostream &os, const Integer &integer) {
  return os << integer.number;
}

bool cl::parser<Integer>::parse(Option &option, StringRef, StringRef text,
                                Integer &integer) {
  if (!text.getAsInteger(0, integer.number))
    return false;
  return refuseValue(option,
                     "expected an integer in [" +
                         Twine(std::numeric_limits<int64_t>::min()) + ", " +
                         Twine(std::numeric_limits<int64_t>::max()) +
                         "], got '" + text + "'");
}

void cl::parser<Integer>::printOptionDiff(const Option &option,
                                          const Integer &integer,
                                          const OptionValue<Integer> &,
                                          size_t width) const {
  printOptionName(option, width);
  outs() << "= " << integer << '\n';
}
