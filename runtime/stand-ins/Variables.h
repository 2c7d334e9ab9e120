// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment asks of the stand-ins.

#ifndef MOERT_STANDINS_VARIABLES_H
#define MOERT_STANDINS_VARIABLES_H

#include <cstdint>
#include <string>

namespace moert::standin {

/// One of MOERT_STAND_IN_FAIL: call number so-and-so of a function, counted
/// from 1, fails with a code; all later ones, too, where it lasts.
struct Failure {
  std::string function;
  uint64_t number;
  bool isLasting;
  int code;
};

/// What a call shall fail with; 0 for nothing.
int getFailure(const std::string &name, uint64_t number);

/// Ends the process with words and exit code 2 when a variable of the
/// environment has a value that it may not have, or is none of the stand-ins'
/// though it has their prefix.
void verifyVariables();

} // namespace moert::standin

#endif // MOERT_STANDINS_VARIABLES_H
