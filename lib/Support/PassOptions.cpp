//===- PassOptions.cpp - Options of passes, each given once ---------------===//
//
// Part of moe-mlir, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "moe/Support/PassOptions.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

/// Where a value ends: at a blank that stands in no quotes and in no braces, in
/// which a value may have options of its own.
static size_t findEnd(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'' || c == '"') {
      if (size_t close = text.find(c, i + 1); close != StringRef::npos)
        i = close;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}') {
      --depth;
    } else if (c == ' ' && depth <= 0) {
      return i;
    }
  }
  return text.size();
}

std::string moe::checkGivenOnce(StringRef user, StringRef options) {
  StringSet<> given;
  while (!(options = options.ltrim()).empty()) {
    StringRef name =
        options.take_until([](char c) { return c == '=' || c == ' '; });
    options = options.drop_front(name.size());
    if (options.consume_front("="))
      options = options.drop_front(findEnd(options));
    if (!given.insert(name).second)
      return (user + ": expected " + name + " once, got it more than once")
          .str();
  }
  return "";
}

std::string moe::describeOptions(std::string message, StringRef pipeline) {
  if (!StringRef(message).contains("no such option"))
    return message;
  auto [name, options] = pipeline.split('{');
  std::string names;
  options.consume_back("}");
  while (!(options = options.ltrim()).empty()) {
    StringRef option =
        options.take_until([](char c) { return c == '=' || c == ' '; });
    options = options.drop_front(option.size());
    if (options.consume_front("="))
      options = options.drop_front(findEnd(options));
    names += (names.empty() ? "" : ", ") + option.str();
  }
  StringRef said = StringRef(message).rtrim();
  return (said + "; " + name.trim() +
          (names.empty() ? " has none" : " has " + names))
      .str();
}
