// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes that may be given only once.

#include "moe/Support/PassOptions.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

std::string moe::checkGivenOnce(StringRef user, StringRef options) {
  StringSet<> given;
  std::string problem;
  forEachOption(options, [&](StringRef name, StringRef) {
    if (!given.insert(name).second && problem.empty())
      problem =
          (user + ": expected " + name + " once, got it more than once").str();
  });
  return problem;
}

std::string moe::describeOptions(std::string message, StringRef pipeline) {
  if (!StringRef(message).contains("no such option"))
    return message;
  auto [name, options] = pipeline.split('{');
  std::string names;
  options.consume_back("}");
  forEachOption(options, [&](StringRef option, StringRef) {
    names += (names.empty() ? "" : ", ") + option.str();
  });
  StringRef said = StringRef(message).rtrim();
  return (said + "; " + name.trim() +
          (names.empty() ? " has none" : " has " + names))
      .str();
}
