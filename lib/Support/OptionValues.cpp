// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about invalid option values.

#include "moe/Support/OptionValues.h"
#include <limits>

using namespace llvm;
using namespace moe;

/// Returns the length of the value at the start of `text`: up to the first blank
/// outside quotes and braces, which enclose a value with options of its own.
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

void moe::forEachOption(StringRef options,
                        function_ref<void(StringRef, StringRef)> visit) {
  while (!(options = options.ltrim()).empty()) {
    StringRef name =
        options.take_until([](char c) { return c == '=' || c == ' '; });
    options = options.drop_front(name.size());
    StringRef value =
        options.starts_with("=")
            ? options.take_front(1 + findEnd(options.drop_front()))
            : StringRef();
    options = options.drop_front(value.size());
    visit(name, value);
  }
}

/// The innermost collector on this thread.
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
