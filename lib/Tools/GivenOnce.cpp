// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Check for options that are given twice.

#include "moe/Tools/GivenOnce.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace moe;

std::string moe::checkGivenOnce(cl::SubCommand &command) {
  // Sorted by name, so that the message does not depend on a hash.
  std::map<std::string, int> repeated;
  for (auto &entry : cl::getRegisteredOptions(command)) {
    cl::Option &option = *entry.second;
    bool isList = is_contained({cl::ZeroOrMore, cl::OneOrMore},
                               option.getNumOccurrencesFlag());
    if (!isList && option.getNumOccurrences() > 1)
      repeated.emplace(option.ArgStr.str(), option.getNumOccurrences());
  }
  if (repeated.empty())
    return "";
  auto [name, times] = *repeated.begin();
  return (name.size() == 1 ? "-" : "--") + name +
         ": expected it once, got it " +
         (times == 2 ? std::string("twice") : std::to_string(times) + " times");
}
