// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the suite is running.

#ifndef MOERT_TEST_CONFORMANCE_ACTIVITY_H
#define MOERT_TEST_CONFORMANCE_ACTIVITY_H

#ifdef MOERT_HAS_PROGRESS
#include "moe/Support/Progress.h"

namespace conformance {
using moe::support::Activity;
using moe::support::Progress;
} // namespace conformance
#else
#include <cstdint>
#include <string>

namespace conformance {

/// Without the compiler's tree nothing is said of what takes long.
struct Activity {
  explicit Activity(const std::string &, int64_t = 0) {}
  void next(const std::string & = "") {}
};
struct Progress {
  static void keepQuiet() {}
};

} // namespace conformance
#endif

#endif // MOERT_TEST_CONFORMANCE_ACTIVITY_H
