// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A status with a message.

#ifndef MOERT_CORE_STATUS_H
#define MOERT_CORE_STATUS_H

#include "moert.h"
#include <string>
#include <utility>

namespace moert {

/// The result of an operation, with the message for `moert_last_error`.
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

/// Formats like printf into a string.
std::string format(const char *pattern, ...)
    __attribute__((format(printf, 1, 2)));

/// Creates an error and formats its message like printf.
Status error(moert_status code, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));

/// Creates the error "expected <what>, got NULL".
Status missing(const char *what);

/// Prints ranks, for example "[0, 2, 5]", omitting the middle of long lists.
std::string printRanks(const int32_t *ranks, size_t count);

} // namespace moert

#endif // MOERT_CORE_STATUS_H
