// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A status with a message.

#include "core/Status.h"
#include <cstdarg>
#include <cstdio>

using namespace moert;

static std::string formatList(const char *pattern, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  int size = std::vsnprintf(nullptr, 0, pattern, copy);
  va_end(copy);
  std::string text(size < 0 ? 0 : size, '\0');
  if (size > 0)
    std::vsnprintf(text.data(), text.size() + 1, pattern, arguments);
  return text;
}

std::string moert::format(const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  std::string text = formatList(pattern, arguments);
  va_end(arguments);
  return text;
}

Status moert::error(moert_status code, const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  Status status(code, formatList(pattern, arguments));
  va_end(arguments);
  return status;
}

Status moert::missing(const char *what) {
  return error(MOERT_INVALID_ARGUMENT, "expected %s, got NULL", what);
}

std::string moert::printRanks(const int32_t *ranks, size_t count) {
  constexpr size_t kShown = 16;
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) {
    if (count > kShown && i == kShown / 2) {
      text += ", ...";
      i = count - kShown / 2;
    }
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  }
  return text + "]";
}
