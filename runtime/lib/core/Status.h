// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A status and what it means in words.

#ifndef MOERT_CORE_STATUS_H
#define MOERT_CORE_STATUS_H

#include "moert.h"
#include <string>
#include <utility>

namespace moert {

/// What became of a piece of work, with the words for `moert_last_error`.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(moert_status code, std::string message)
      : code(code), message(std::move(message)) {}

  bool ok() const { return code == MOERT_OK; }
  moert_status getCode() const { return code; }
  const std::string &getMessage() const { return message; }

private:
  moert_status code = MOERT_OK;
  std::string message;
};

/// printf into a string.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// An error whose message is a printf pattern.
Status error(moert_status code, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

/// "expected <what>, got NULL".
Status missing(const char *what);

/// "[0, 2, 5]", long lists with their middle left out.
std::string printRanks(const int32_t *ranks, size_t count);

} // namespace moert

#endif // MOERT_CORE_STATUS_H
