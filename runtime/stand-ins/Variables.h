// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Environment variables of the emulation.

#ifndef MOERT_STANDINS_VARIABLES_H
#define MOERT_STANDINS_VARIABLES_H

#include <cstdint>
#include <string>

namespace moert::standin {

/// An entry of MOERT_STAND_IN_FAIL: the call of a function with this number,
/// counted from 1, fails with a code; all later calls fail, too, if
/// `isLasting`.
struct Failure {
  std::string function;
  uint64_t number;
  bool isLasting;
  int code;
};

/// Returns the error that a call should fail with; 0 for none.
int getFailure(const std::string &name, uint64_t number);

/// Ends the process with an error and exit code 2 if an environment variable
/// has an invalid value, or has the prefix of the emulation but is unknown.
void verifyVariables();

} // namespace moert::standin

#endif // MOERT_STANDINS_VARIABLES_H
